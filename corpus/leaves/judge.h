// What all programs of this folder share: the function that is differentiated, its roles, `main`.
//
// A program defines `leave`, which takes the numbers of `x` out of the floats and brings them back into `y`; as numbers, they are the same.
// The function is the sum of y[i]^2, its derivative 2 x[i].
//
//   -DROLE=0   the gradient is synthesised: right, or refused by `adj cc`
//   -DROLE=1   a right adjoint by hand
//   -DROLE=2   a wrong one by hand: zero
//   -DROLE=3   central differences of the function, compared with the right adjoint: exit code 1 if they are not the same
#ifndef ROLE
#define ROLE 0
#endif
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <stdio.h>
#ifdef __cplusplus
extern "C" double __enzyme_autodiff(void *f, ...);
#else
double __enzyme_autodiff(void *f, ...);
#endif

#define NUMBERS 3

static double f(const double *x, int n) {
  double y[NUMBERS] = {0}, s = 0;
  leave(x, y, n);
  for (int i = 0; i < n; i++)
    s += y[i] * y[i];
  return s;
}

#if ROLE == 1 || ROLE == 2
static void df(const double *x, double *dx, int n, double seed) {
  f(x, n); // What it leaves in memory is part of it.
  for (int i = 0; i < n; i++)
    dx[i] += ROLE == 1 ? 2 * x[i] * seed : 0.0;
}
#endif

int main(void) {
  double x[NUMBERS] = {1.5, -0.75, 2.25};
#if ROLE == 3
  const double h = 0.015625;
  for (int i = 0; i < NUMBERS; i++) {
    double at = x[i];
    x[i] = at + h;
    double above = f(x, NUMBERS);
    x[i] = at - h;
    double below = f(x, NUMBERS);
    x[i] = at;
    double error = (above - below) / (2 * h) - 2 * at;
    if (!(error < 1e-9 && error > -1e-9)) {
      printf("x[%d]: %g\n", i, error);
      return 1;
    }
  }
#else
  double dx[NUMBERS] = {0};
#if ROLE == 0
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, NUMBERS);
#else
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, enzyme_const, NUMBERS, 1.0);
#endif
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
#endif
  return 0;
}
