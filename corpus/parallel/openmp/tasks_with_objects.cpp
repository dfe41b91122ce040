// Tasks and a loop of tasks that have copies of a vector: each copy is destroyed when its task is over, and so is its
// shadow.
// adj-flags: -fopenmp
#include "differences.h"
#include <vector>

enum { N = 6 };

static double f(const double *x, int n) {
  std::vector<double> weights(n);
  double y[N], z[N], sum = 0;
  for (int i = 0; i < n; i++)
    weights[i] = x[i] * x[0];
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++)
#pragma omp task firstprivate(weights, i)
    {
      weights[i] *= 2;
      y[i] = weights[i] * x[i];
    }
#pragma omp taskloop firstprivate(weights) num_tasks(3)
    for (int i = 0; i < n; i++) {
      weights[i] += 1;
      z[i] = weights[i] * x[i];
    }
  }
  for (int i = 0; i < n; i++)
    sum += y[i] * z[i] * weights[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
