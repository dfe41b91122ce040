// The program says how many threads its regions have: one for a recurrence, whose order is that of the iterations, and
// three for a sum.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

static double recurrence(const double *x, int n) {
  double s = 1;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
#pragma omp critical
    s = s * x[i] + 1;
  return s;
}

static double shares(const double *x, int n) {
  double s = 0;
#pragma omp parallel reduction(+ : s)
  for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) s += x[i] * omp_get_num_threads();
  return s;
}

int main(void) {
  double x[5] = {0.5, 2, -1, 3, 0.25}, dx[5] = {0};
  omp_set_num_threads(1);
  __enzyme_autodiff((void *)recurrence, enzyme_dup, x, dx, enzyme_const, 5);
  omp_set_num_threads(3);
  __enzyme_autodiff((void *)shares, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++) printf("%g\n", dx[i]);
  return 0;
}
