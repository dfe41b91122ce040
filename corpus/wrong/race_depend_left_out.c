// Tasks form a chain by their dependences. Those of the reverse pass say only what they read (in), so that nothing
// orders them.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { STEPS = 3 };

static void chain(double *x, const double *rate) {
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int k = 0; k < STEPS; k++) {
#pragma omp task depend(inout : x[0])
    *x = *x * rate[k];
  }
}

static void chain_reverse(double *x, double *dx, const double *rate, double *drate) {
  double tape[STEPS];
  for (int k = 0; k < STEPS; k++) {
    tape[k] = *x;
    *x = *x * rate[k];
  }
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int k = STEPS - 1; k >= 0; k--) {
#pragma omp task depend(in : dx[0])
    {
      double adjoint;
      *dx = rate[k] * (adjoint = *dx); //~ race
      drate[k] += tape[k] * adjoint;
    }
  }
}

int main(void) {
  double x = 1.5, dx = 1.0, rate[STEPS] = {0.5, 2.0, 0.75}, drate[STEPS] = {0};
  __adj_check_gradient((void *)chain, (void *)chain_reverse, &x, &dx, rate, drate);
  printf("%g\n", x);
  return 0;
}
