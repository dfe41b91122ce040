// Tasks, and threads other than the first, ask for the gradient of a function that forks a team.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <omp.h>

static double norm(const double *x, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

int main(void) {
  enum { N = 5, K = 4 };
  const double x[N] = {1, -2, 0.5, 4, 3};
  double tasks[K][N] = {{0}}, last[N] = {0}, before = norm(x, N), after = 0;
#pragma omp parallel
  {
#pragma omp single
    for (int k = 0; k < K; k++) {
#pragma omp task firstprivate(k)
      __enzyme_autodiff((void *)norm, enzyme_dup, x, tasks[k], enzyme_const, N);
    }
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
      __enzyme_autodiff((void *)norm, enzyme_dup, x, last, enzyme_const, N);
  }
  for (int k = 0; k < 3; k++) after += norm(x, N);
  for (int i = 0; i < N; i++) {
    if (fabs(last[i] - 2 * x[i]) > 1e-12) return 1;
    for (int k = 0; k < K; k++)
      if (fabs(tasks[k][i] - 2 * x[i]) > 1e-12) return 1;
  }
  return fabs(after - 3 * before) > 1e-12;
}
