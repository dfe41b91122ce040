// Untied tasks, with and without a place where they may be interrupted.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double f(const double *x, int n) {
  double squares[N], sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
#pragma omp task untied firstprivate(i) shared(squares)
      squares[i] = x[i] * x[(i + 1) % n];
    }
#pragma omp taskwait
#pragma omp task untied shared(sum, squares)
    {
      sum = squares[0] * squares[1];
#pragma omp taskyield
      sum += squares[2] * squares[5];
    }
  }
  return sum * squares[3];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
