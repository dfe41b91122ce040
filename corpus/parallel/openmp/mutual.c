// Threads that exchange halves across a barrier, in a loop.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>
#include <string.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double a[N], old[N];
  memcpy(a, x, sizeof a);
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    const int low = me * n / 2, high = (me + 1) * n / 2;
    for (int k = 0; k < 3; k++) {
      for (int i = low; i < high; i++)
        old[i] = a[i];
#pragma omp barrier
      for (int i = low; i < high; i++)
        a[i] = 0.5 * a[i] + 0.25 * old[(i + 1) % n] * old[(i + n - 1) % n];
#pragma omp barrier
    }
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i] * a[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
