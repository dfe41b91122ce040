/* Many numbers that go from one iteration to the next and are not active: a lagged generator with twelve of them, all used in each iteration. So
 * a buffer has few rows and a level of checkpoints few of those, and thousands of iterations go through all levels and the tape: up to the end of
 * each, one less and one more, in one loop and in a loop within a loop, which ends early, too. Each gradient twice. */
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long word;

#define SEED word a = 1, b = 7, c = 13, d = 31, e = 57, f = 111, g = 223, h = 431, i = 877, j = 1731, k = 3467, l = 6917

#define NEXT                                                                                                       \
  do {                                                                                                             \
    word next = (a * 6364136223846793005UL + h) ^ (d >> 7);                                                        \
    a = b, b = c, c = d, d = e, e = f, f = g, g = h, h = i, i = j, j = k, k = l, l = next;                         \
  } while (0)

static double unit(word w) { return (double)(w >> 44) * 0x1p-20; }

#define USE                                                                                                        \
  (x[0] * unit(a) + x[1] * unit(b) + x[2] * unit(c) + x[3] * unit(d) + x[0] * unit(e) * x[1] + x[1] * unit(f) * x[2] + \
   x[2] * unit(g) * x[3] + x[3] * unit(h) + x[0] * unit(i) + x[1] * unit(j) * x[3] + x[2] * unit(k) + x[0] * unit(l) * x[0])

static double lagged(double *x, long n) {
  SEED;
  double sum = 0.0;
  for (long t = 0; t < n; t++) {
    sum += USE;
    x[t & 3] = x[t & 3] * 0.999 + 0.001 * x[(t + 1) & 3] * x[(t + 1) & 3];
    NEXT;
  }
  return sum;
}

/* Goes on from where the inner loop was left, which may be anywhere. */
static double left_early(double *x, long n, long m) {
  SEED;
  double sum = 0.0;
  for (long s = 0; s < n; s++) {
    for (long t = 0; t < m; t++) {
      sum += USE;
      if (t > 40 && (l & 4095) == 0) break;
      x[l & 3] = x[l & 3] * 0.998 + 0.001 * x[t & 3] * x[0];
      NEXT;
    }
    l ^= (word)s;
    NEXT;
  }
  return sum;
}

static void report(const char *name, long n, const double *dx) {
  printf("%s %ld: %.12g %.12g %.12g %.12g\n", name, n, dx[0], dx[1], dx[2], dx[3]);
}

int main(void) {
  const long counts[] = {1, 33, 511, 513, 2048, 2049, 4500};
  for (int round = 0; round < 14; round++) {
    long n = counts[round / 2];
    double x[4] = {1.0, 0.5, 0.25, 0.75}, dx[4] = {0};
    __enzyme_autodiff((void *)lagged, enzyme_dup, x, dx, enzyme_const, n);
    report("lagged", n, dx);
  }
  for (long m = 0; m < 2800; m += 900) {
    double x[4] = {1.0, 0.5, 0.25, 0.75}, dx[4] = {0};
    __enzyme_autodiff((void *)left_early, enzyme_dup, x, dx, enzyme_const, 4L, enzyme_const, m);
    report("left early", m, dx);
  }
  return 0;
}
