// A group of tasks ends when those are over that its tasks have made, also where their makers have ended before.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double f(const double *x, int n) {
  double parts[3] = {0}, sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(parts)
      {
        parts[0] = x[0] * x[1];
#pragma omp task shared(parts)
        {
          parts[1] = sin(x[2]);
#pragma omp task shared(parts)
          parts[2] = x[3] * x[n - 1];
        }
      }
    }
    sum = parts[0] * parts[1] + parts[2] * x[4];
  }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
