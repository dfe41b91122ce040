// Tasks in which teams are forked, and teams whose threads make tasks between barriers, with sums beside them.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 8 };

static double norm(const double *y, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < n; i++) sum += y[i] * y[i];
  return sqrt(sum);
}

static double f(const double *x, int n) {
  double y[N], z[N], total = 0, sizes[2];
#pragma omp parallel num_threads(3)
  {
#pragma omp for
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i] + 1;
#pragma omp single
    for (int k = 0; k < 2; k++) {
#pragma omp task firstprivate(k)
      sizes[k] = norm(y + k, n - k);
    }
#pragma omp for reduction(+ : total)
    for (int i = 0; i < n; i++) {
      z[i] = y[i] / sizes[i % 2];
      total += z[i] * x[n - 1 - i];
    }
#pragma omp master
    {
#pragma omp taskgroup
      {
        for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
#pragma omp atomic
          y[i / 2] += z[i] * total;
        }
      }
      total += y[0];
    }
  }
  double sum = total;
  for (int i = 0; i < n; i++) sum += y[i] * (i + 1);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
