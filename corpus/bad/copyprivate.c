// One thread tells all others a number: a construct of OpenMP that is not differentiated.
// adj-exit: 3
// adj-message: copyprivate
// adj-flags: -fopenmp
#include "adj.h"

static double f(const double *x) {
  double part[4] = {0}, seed;
#pragma omp parallel num_threads(4) private(seed)
  {
#pragma omp single copyprivate(seed)
    seed = x[0] * x[0];
#pragma omp for
    for (int i = 0; i < 4; i++)
      part[i] = seed * x[1] * i;
  }
  return part[0] + part[1] + part[2] + part[3];
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return dx[0] > 0 ? 0 : 1;
}
