// Numbers that are read from an array, which is written again afterwards: by the same function called once more, through a pointer that
// was left in memory, by a function without derivative, in the next trip of a loop. What is read has to be kept.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 3

struct holder {
  double *inner;
};

void __enzyme_call_inactive(void *f, ...);

static double *seen;

__attribute__((noinline)) static double product(double *to, const double *from, double by) {
  double result = 1.0;
  for (int i = 0; i < N; i++)
    result *= from[i] + by;
  to[0] = result;
  return result;
}

/* Writes nothing itself. */
__attribute__((noinline)) static double chain(const double *from) {
  double result = 1.0;
  for (int i = 0; i < N; i++)
    result *= from[i] + 0.5;
  return result;
}

__attribute__((noinline)) static void through(struct holder *at, double by) { at->inner[1] = by * by; }

/* Where it writes is told by no argument. */
__attribute__((noinline)) static void forget(void) {
  for (int i = 0; i < N; i++)
    seen[i] = -7.0;
}

static double rewritten(const double *x) {
  double a[N], b[N], *c = malloc(N * sizeof(double)), total = 0.0;
  struct holder holder = {b};
  for (int i = 0; i < N; i++)
    a[i] = sin(x[i]), b[i] = cos(x[i]), c[i] = x[i] * x[i];
  total += product(a, b, x[0]);
  total += product(b, a, x[1]) * b[1];
  total += chain(b);
  through(&holder, x[2]);
  total += product(a, b, 0.5) * chain(a);
  a[1] = total;
  seen = c;
  for (int i = 0; i < N; i++)
    total *= c[i] + 1.0;
  __enzyme_call_inactive((void *)forget);
  for (int k = 0; k < 2; k++) {
    double d[N];
    for (int i = 0; i < N; i++)
      d[i] = x[i] + k;
    for (int i = 0; i < N; i++)
      total += d[i] * d[(i + 1) % N] * a[i];
  }
  free(c);
  return total;
}

int main(void) {
  double x[N] = {0.4, -0.7, 1.1}, dx[N] = {0};
  printf("%.17g\n", rewritten(x));
  __enzyme_autodiff((void *)rewritten, enzyme_dup, x, dx);
  printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
  return 0;
}
