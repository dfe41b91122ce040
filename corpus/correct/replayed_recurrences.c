/* Numbers that go from one iteration to the next and are not active: random numbers, powers, bits turned round in an inner loop, an index that
 * moves now and then, time, a walk along a list of constants. Of each loop no iteration, one, and more than a few hundred; some start anew within
 * another loop, and some go on from where the inner loop left them. Each gradient twice. */
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct knot {
  double weight;
  const struct knot *next;
};

static double random_walk(double *x, long n) {
  unsigned long state = 88172645463325252UL;
  double sum = 0.0;
  for (long i = 0; i < n; i++) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    double w = (double)(state >> 40) * 0x1p-24;
    x[state >> 62] = x[state >> 62] * w + x[i & 3] * (1.0 - w);
    sum += x[0] * x[0];
  }
  return sum;
}

static double grid(double *x, long n) {
  double ratio = 1.0, time = 0.0;
  for (long i = 0; i < n; i++) {
    x[i & 3] += ratio * x[(i + 1) & 3] * x[(i + 1) & 3] * 0.001 - 0.01 * time * x[i & 3];
    ratio *= 0.998;
    time += 0.0625;
  }
  return x[0] * x[1];
}

static double turned(double *x, long n) {
  double sum = 0.0;
  for (long i = 1, j = 0; i < n; i++) {
    long bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) x[j & 3] = x[j & 3] * 0.98 + x[i & 3] * x[1] * 0.02;
    sum += x[j & 3];
  }
  return sum;
}

static double now_and_then(double *restrict x, const int *flags, long n) {
  double sum = 0.0;
  long next = 0;
  for (long i = 0; i < n; i++) {
    if (flags[i & 63]) next = next == 3 ? 0 : next + 1;
    x[next] = x[next] * 0.98 + x[i & 3] * x[0] * 0.02;
    sum += x[next];
  }
  return sum;
}

static double along(double *restrict x, const struct knot *list) {
  for (const struct knot *at = list; at; at = at->next)
    x[0] = x[0] * (1.0 - 0.02 * at->weight) + 0.01 * x[1] * x[2];
  return x[0];
}

static double anew(double *x, long n, long m) {
  double sum = 0.0;
  unsigned outer = 12345;
  for (long i = 0; i < n; i++) {
    double power = 1.0;
    unsigned inner = outer;
    for (long j = 0; j < m + (long)(outer % 3); j++) {
      inner ^= inner << 13, inner ^= inner >> 17, inner ^= inner << 5;
      x[inner & 3] = x[inner & 3] * 0.99 + x[j & 3] * x[0] * power * 0.01;
      power *= 0.999;
    }
    outer = inner * 747796405u + 2891336453u;
    sum += x[outer >> 30] * power;
  }
  return sum;
}

static void report(const char *name, long n, const double *dx) {
  printf("%s %ld: %.12g %.12g %.12g %.12g\n", name, n, dx[0], dx[1], dx[2], dx[3]);
}

#define START {1.0, 0.5, 0.25, 0.75}

int main(void) {
  static struct knot knots[600];
  static int flags[64];
  for (int i = 0; i < 600; i++) knots[i].weight = 0.5 + 0.0005 * i, knots[i].next = i == 599 ? 0 : &knots[i + 1];
  for (int i = 0; i < 64; i++) flags[i] = i * i % 7 < 3;
  const long counts[] = {0, 1, 255, 256, 257, 512, 1025};
  for (int round = 0; round < 14; round++) {
    long n = counts[round / 2];
    double a[4] = START, b[4] = START, c[4] = START, d[4] = START, e[4] = START;
    double da[4] = {0}, db[4] = {0}, dc[4] = {0}, dd[4] = {0}, de[4] = {0};
    __enzyme_autodiff((void *)random_walk, enzyme_dup, a, da, enzyme_const, n);
    __enzyme_autodiff((void *)grid, enzyme_dup, b, db, enzyme_const, n);
    __enzyme_autodiff((void *)turned, enzyme_dup, c, dc, enzyme_const, n);
    __enzyme_autodiff((void *)now_and_then, enzyme_dup, d, dd, enzyme_const, (const int *)flags, enzyme_const, n);
    const struct knot *list = n > 0 && n <= 600 ? &knots[600 - n] : 0;
    __enzyme_autodiff((void *)along, enzyme_dup, e, de, enzyme_const, list);
    report("random", n, da), report("grid", n, db), report("turned", n, dc), report("now and then", n, dd), report("along", n, de);
  }
  for (long m = 0; m < 900; m += 299) {
    double x[4] = START, dx[4] = {0};
    __enzyme_autodiff((void *)anew, enzyme_dup, x, dx, enzyme_const, 5L, enzyme_const, m);
    report("anew", m, dx);
  }
  return 0;
}
