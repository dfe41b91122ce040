// Merge sort with tasks; what comes out is weighted by its place.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 16 };

static void merge(double *a, double *t, int n, int m) {
  int i = 0, j = m, k = 0;
  while (i < m && j < n) t[k++] = a[i] <= a[j] ? a[i++] : a[j++];
  while (i < m) t[k++] = a[i++];
  while (j < n) t[k++] = a[j++];
  memcpy(a, t, n * sizeof *a);
}

static void sort(double *a, double *t, int n) {
  if (n < 2) return;
  const int m = n / 2;
#pragma omp task if (n > 4)
  sort(a, t, m);
#pragma omp task if (n > 4)
  sort(a + m, t + m, n - m);
#pragma omp taskwait
  merge(a, t, n, m);
}

static double f(const double *x, int n) {
  double a[N], t[N];
  for (int i = 0; i < N; i++) a[i] = sin(7.3 * i + x[i % n]) * x[(i * 5) % n];
#pragma omp parallel
#pragma omp single
  sort(a, t, N);
  double sum = 0;
  for (int i = 0; i < N; i++) sum += (i + 1) * a[i] * a[i];
  return sum;
}

int main(void) {
  enum { n = 5 };
  double x[n], dx[n];
  start(x, dx, n);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  return differing(f, x, dx, n);
}
