/* Loops whose counters take steps that are known only when they are entered: up and down, up to and with the bound, with a rest, in 32 bits and
 * without a sign, larger than all that there is; and loops that end at once, whose step may then be zero, or go the other way. What they
 * keep is counted by the number of their iterations, which is found by a division. */
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double up(double *x, long from, long n, long step) {
  double sum = 0.0;
  for (long i = from; i < n; i += step) {
    x[i] = sin(x[i]) * x[i];
    sum += x[i];
  }
  return sum;
}

static double with_bound(double *x, int from, int n, int step) {
  double sum = 0.0;
  for (int i = from; i <= n; i += step) {
    x[i] = exp(-x[i]) * x[i];
    sum += x[i] * x[i];
  }
  return sum;
}

static double down(double *x, int from, int step) {
  double sum = 0.0;
  for (int i = from; i > 0; i -= step) {
    x[i] = x[i - 1] * x[i] + 0.1;
    sum += x[i];
  }
  return sum;
}

static double at_least_once(double *x, long n, long step) {
  double sum = 0.0;
  long i = 0;
  do {
    x[i] = x[i] * x[i] * x[i + 1];
    sum += x[i];
    i += step;
  } while (i < n);
  return sum;
}

static double without_sign(double *x, unsigned n, unsigned step) {
  double sum = 0.0;
  for (unsigned i = 0; i < n; i += step) {
    x[i] = cos(x[i]) * x[i];
    sum += x[i];
  }
  return sum;
}

/* The transform's loops: the step of the inner one doubles. */
static double butterflies(double *x, long n) {
  double w = 1.0;
  for (long length = 2; length <= n; length <<= 1)
    for (long k = 0; k < length / 2; k++) {
      for (long i = k; i < n; i += length) {
        double other = x[i + length / 2] * w;
        x[i + length / 2] = x[i] - other;
        x[i] = x[i] * x[i] * 0.25 + other;
      }
      w *= 0.97;
    }
  return x[0] + x[n - 1] * x[1];
}

static void start(double *x, double *dx) {
  for (int i = 0; i < 40; i++) x[i] = 0.5 + 0.02 * i, dx[i] = 0.0;
}

static void report(const char *name, long n, long step, const double *dx) {
  double sum = 0.0;
  for (int i = 0; i < 40; i++) sum += dx[i] * (1.0 + i);
  printf("%s %ld %ld: %.12g\n", name, n, step, sum);
}

int main(void) {
  double x[40], dx[40];
  const long cases[][2] = {{0, 1}, {1, 1}, {7, 1}, {7, 2}, {7, 3}, {38, 5}, {36, 6}, {37, 6}, {30, 31}, {30, 1L << 30}, {0, 0}, {-3, -2}};
  for (int c = 0; c < 12; c++) {
    long n = cases[c][0], step = cases[c][1];
    start(x, dx), __enzyme_autodiff((void *)up, enzyme_dup, x, dx, enzyme_const, 0L, enzyme_const, n, enzyme_const, step);
    report("up", n, step, dx);
    start(x, dx), __enzyme_autodiff((void *)with_bound, enzyme_dup, x, dx, enzyme_const, 1, enzyme_const, (int)n, enzyme_const, (int)step);
    report("with bound", n, step, dx);
    start(x, dx), __enzyme_autodiff((void *)down, enzyme_dup, x, dx, enzyme_const, (int)n, enzyme_const, (int)step);
    report("down", n, step, dx);
    if (n < 0) continue;
    start(x, dx), __enzyme_autodiff((void *)at_least_once, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, step);
    report("at least once", n, step, dx);
    start(x, dx), __enzyme_autodiff((void *)without_sign, enzyme_dup, x, dx, enzyme_const, (unsigned)n, enzyme_const, (unsigned)step);
    report("without sign", n, step, dx);
  }
  for (long n = 1; n <= 32; n *= 2) {
    start(x, dx), __enzyme_autodiff((void *)butterflies, enzyme_dup, x, dx, enzyme_const, n);
    report("butterflies", n, n, dx);
  }
  return 0;
}
