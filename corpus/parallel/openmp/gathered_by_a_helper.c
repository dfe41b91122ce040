// A function is called by the threads of a region and outside of it, while a team of the program's own asks for
// gradients.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 8, TASKS = 3 };

static double products(const double *x, int n, int i, int k) {
  double sum = i + 1 < n ? products(x, n, i + 1, k) : 0;
  for (int j = 0; j < n; j++)
    sum += x[i] * x[(j + k) % n] * (1 + j % 3);
  return sum;
}

static double f(const double *x, int n) {
  double first = products(x, n, 0, 1), sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int k = 0; k < 4; k++)
    sum += products(x, n, 0, k);
  return (first * first + sum) / 1000;
}

int main(void) {
  double x[TASKS][N], dx[TASKS][N];
  int wrong = 0;
  for (int t = 0; t < TASKS; t++)
    start(x[t], dx[t], N);
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int t = 0; t < TASKS; t++)
    __enzyme_autodiff((void *)f, enzyme_dup, x[t], dx[t], enzyme_const, N);
  for (int t = 0; t < TASKS; t++)
    wrong += differing(f, x[t], dx[t], N);
  return wrong;
}
