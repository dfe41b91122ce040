// Sums by comparison and exchange in which some terms are zero, and products with factors of one: the memory holds the
// same bits after another thread's turn, and yet that thread has come between (the ABA problem).
// adj-flags: -fopenmp
#include "adj.h"
#include <stdatomic.h>
#include <stdio.h>

enum { N = 24 };

static void add(_Atomic double *s, double v) {
  double old = atomic_load(s);
  while (!atomic_compare_exchange_weak(s, &old, old + v)) {
  }
}

static void times(_Atomic double *s, double v) {
  double old = atomic_load(s), new;
  do new = old * v;
  while (!atomic_compare_exchange_weak(s, &old, new));
}

static double f(const double *x, int n) {
  _Atomic double sum = 1, product = 0.5;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; i++) {
    add(&sum, x[i] * x[i] + 2 * x[i]);
    times(&product, 1 + x[i]);
  }
  return sum + product;
}

int main(void) {
  double x[N] = {0}, dx[N] = {0};
  x[3] = 0.5;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i++) printf("%g\n", dx[i]);
  return 0;
}
