// A recurrence in an ordered region. The reverse pass has an ordered region as well, whose iterations come in the
// same order, the first one first. Evidence: the state was overwritten in each, and every input gets the adjoint that
// the state has at another iteration.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static void filter(double *state, const double *x, int n) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
  for (int i = 0; i < n; i++) {
    double input = x[i] * x[i];
#pragma omp ordered
    *state = 0.5 * *state + input;
  }
}

static void filter_reverse(double *state, double *dstate, const double *x, double *dx, int n) {
  filter(state, x, n);
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
  for (int i = 0; i < n; i++) {
    double dinput;
#pragma omp ordered
    {
      dinput = *dstate;
      *dstate *= 0.5;
    }
    dx[i] += 2.0 * x[i] * dinput; //~ wrong: cache
  }
}

int main(void) {
  double state = 0.25, dstate = 1.0, x[6] = {1.0, 2.0, -1.0, 0.5, 3.0, 1.5}, dx[6] = {0};
  __adj_check_gradient((void *)filter, (void *)filter_reverse, enzyme_dup, &state, &dstate, enzyme_dup, x, dx,
                       enzyme_const, 6);
  printf("%g\n", state);
  return 0;
}
