// One thread waits for a flag of another one: the reverse pass would not know how.
// adj-exit: 3
// adj-message: acquire
// adj-flags: -fopenmp
#include "adj.h"
#include <stdatomic.h>

static double f(const double *x) {
  double data = 0, result = 0;
  atomic_int ready = 0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      data = x[0] * x[0];
      atomic_store(&ready, 1);
    }
#pragma omp section
    {
      while (!atomic_load(&ready))
        ;
      result = data * x[1];
    }
  }
  return result;
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return dx[0] > 0 ? 0 : 1;
}
