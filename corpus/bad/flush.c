// A value that is made to agree between threads by hand.
// adj-exit: 3
// adj-message: flush
// adj-flags: -fopenmp
#include "adj.h"

static double f(const double *x) {
  double y = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    y = x[0] * x[0];
#pragma omp flush
  }
  return y;
}

int main(void) {
  double x[1] = {2}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return dx[0] > 0 ? 0 : 1;
}
