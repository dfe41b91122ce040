/* Recurrences of which no part may simply be run again: active ones, ones that read memory which is overwritten later, ones of which a rounded
 * number decides about the way, loops that are left in the middle of an iteration, a function that calls itself between two iterations; and one
 * that is run again within a function that is called, from a gradient of a gradient, and twice over the same tape. */
#include "adj.h"
#include <math.h>
#include <stdio.h>

/* The factor is active. */
static double active(double *x, long n) {
  double factor = x[0];
  for (long i = 0; i < n; i++) {
    factor = factor * 0.999 + 0.001 * x[i & 3];
    x[i & 3] = x[i & 3] * factor;
  }
  return x[1] * factor;
}

/* The seeds change once they have been used. */
static double overwritten(double *x, unsigned *seeds, long n) {
  unsigned state = 1;
  double sum = 0.0;
  for (long i = 0; i < n; i++) {
    x[state >> 30] = x[state >> 30] * 0.99 + x[i & 3] * x[0] * 0.01;
    sum += x[state >> 30];
    state = state * 1664525u + seeds[i & 7];
    seeds[i & 7] ^= state >> 7;
  }
  return sum;
}

/* An angle goes round: where, is a matter of rounding. */
static double round_and_round(double *x, double step, long n) {
  double angle = 0.0;
  for (long i = 0; i < n; i++) {
    angle = fma(step, 1.000001, angle);
    if (angle > 1.0) angle -= 2.0;
    long at = (long)(2.0 * (angle + 1.0)) & 3;
    x[at] = x[at] * (0.99 + 0.01 * angle) + x[i & 3] * 0.01;
  }
  return x[0] + x[3];
}

/* Left where a number is met, before the rest of the iteration is done, which would divide by zero. */
static double left_early(double *restrict x, const int *stops, long n) {
  unsigned state = 7;
  double sum = 0.0;
  for (long i = 0;; i++) {
    state = state * 1103515245u + 12345u;
    if (stops[i] > 2) state ^= 0x5bd1e995u;
    unsigned at = state >> 30;
    x[at] = x[at] * 0.99 + 0.01 * x[i & 3] * x[at];
    sum += x[at] * 0.001;
    if (i >= n || stops[i] == 0) break;
    state += 1000u / (unsigned)stops[i];
    x[state >> 30] = x[state >> 30] * 0.99 + 0.01;
  }
  return sum;
}

/* A loop in a function that calls itself in the middle. */
static double branches(double *x, unsigned state, int depth, long n) {
  double sum = 0.0;
  for (long i = 0; i < n; i++) {
    state = state * 22695477u + 1u;
    x[state >> 30] = x[state >> 30] * 0.99 + x[i & 3] * x[1] * 0.01;
    if (depth > 0 && i % 100 == 50) sum += branches(x, state, depth - 1, n / 2);
  }
  return sum + x[2];
}

__attribute__((noinline)) static double called(double *x, double first, long n) {
  double weight = first;
  for (long i = 0; i < n; i++) {
    x[i & 3] = x[i & 3] * 0.99 + x[i & 3] * x[(i + 1) & 3] * weight * 0.02;
    weight *= 0.999;
  }
  return x[0] * x[2];
}

static double twice(double *x, long n) { return called(x, 1.0, n) + called(x, 0.5, n + 3); }

static void gradient(const double *x, double *dx, long n) {
  double y[4] = {x[0], x[1], x[2], x[3]};
  __enzyme_autodiff((void *)twice, enzyme_dup, y, dx, enzyme_const, n);
}

extern int enzyme_nofree;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void weighed(double *x, long n) {
  double weight = 1.0;
  for (long i = 0; i < n; i++) {
    x[i & 3] = x[i & 3] * 0.99 + x[(i + 1) & 3] * weight * 0.25;
    weight *= 0.998;
  }
}

static void report(const char *name, const double *dx) {
  printf("%s: %.12g %.12g %.12g %.12g\n", name, dx[0], dx[1], dx[2], dx[3]);
}

#define START {0.9, 0.5, 0.25, 0.75}

int main(void) {
  static int stops[700];
  for (int i = 0; i < 700; i++) stops[i] = i == 517 ? 0 : 1 + i % 5;
  for (long n = 3; n < 700; n += 331) {
    unsigned seeds[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    double a[4] = START, b[4] = START, c[4] = START, d[4] = START, e[4] = START;
    double da[4] = {0}, db[4] = {0}, dc[4] = {0}, dd[4] = {0}, de[4] = {0};
    __enzyme_autodiff((void *)active, enzyme_dup, a, da, enzyme_const, n);
    __enzyme_autodiff((void *)overwritten, enzyme_dup, b, db, enzyme_const, seeds, enzyme_const, n);
    __enzyme_autodiff((void *)round_and_round, enzyme_dup, c, dc, enzyme_const, 0.0137, enzyme_const, n);
    __enzyme_autodiff((void *)left_early, enzyme_dup, d, dd, enzyme_const, (const int *)stops, enzyme_const, n);
    __enzyme_autodiff((void *)branches, enzyme_dup, e, de, enzyme_const, 99u, enzyme_const, 2, enzyme_const, n);
    report("active", da), report("overwritten", db), report("round", dc), report("left", dd), report("branches", de);
  }
  double x[4] = START, dx[4] = {0}, ddx[4] = {1.0, 0.0, 0.0, 0.5}, hx[4] = {0};
  gradient(x, dx, 300);
  report("called", dx);
  double once[4] = {0};
  __enzyme_autodiff((void *)gradient, enzyme_dup, x, hx, enzyme_dup, once, ddx, enzyme_const, 300L);
  report("second order", hx);
  double kept[4] = {1.0, 2.0, 3.0, 4.0}, again[4] = {1.0, 2.0, 3.0, 4.0};
  void *tape = __enzyme_augmentfwd((void *)weighed, enzyme_dup, x, kept, enzyme_const, 600L);
  __enzyme_reverse((void *)weighed, enzyme_dup, x, kept, enzyme_const, 600L, enzyme_nofree, tape);
  __enzyme_reverse((void *)weighed, enzyme_dup, x, again, enzyme_const, 600L, tape);
  report("split", kept);
  for (int i = 0; i < 4; i++)
    if (kept[i] != again[i]) return 1;
  return 0;
}
