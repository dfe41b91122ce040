// LU with partial pivoting: row swaps through an integer permutation, then a solve.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 4

static double solve_norm(const double *matrix, const double *rhs) {
  double a[N][N], x[N];
  int row[N];
  for (int i = 0; i < N; i++) {
    row[i] = i;
    for (int j = 0; j < N; j++)
      a[i][j] = matrix[i * N + j];
  }
  for (int k = 0; k < N; k++) {
    int pivot = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(a[row[i]][k]) > fabs(a[row[pivot]][k]))
        pivot = i;
    int t = row[k];
    row[k] = row[pivot];
    row[pivot] = t;
    for (int i = k + 1; i < N; i++) {
      double m = a[row[i]][k] / a[row[k]][k];
      a[row[i]][k] = m;
      for (int j = k + 1; j < N; j++)
        a[row[i]][j] -= m * a[row[k]][j];
    }
  }
  for (int i = 0; i < N; i++) {
    x[i] = rhs[row[i]];
    for (int j = 0; j < i; j++)
      x[i] -= a[row[i]][j] * x[j];
  }
  double norm = 0.0;
  for (int i = N - 1; i >= 0; i--) {
    for (int j = i + 1; j < N; j++)
      x[i] -= a[row[i]][j] * x[j];
    x[i] /= a[row[i]][i];
    norm += x[i] * x[i];
  }
  return norm;
}

int main(void) {
  double a[N * N] = {0.1, 2.0, -1.0, 0.5, 3.0, 0.2, 0.7, -0.4, 1.0, -1.5, 0.3, 2.2, -0.6, 0.9, 1.8, 0.4};
  double b[N] = {1.0, -2.0, 0.5, 3.0}, da[N * N] = {0}, db[N] = {0};
  printf("%.17g\n", solve_norm(a, b));
  __enzyme_autodiff((void *)solve_norm, enzyme_dup, a, da, enzyme_dup, b, db);
  for (int i = 0; i < N * N; i++)
    printf("%.17g\n", da[i]);
  for (int i = 0; i < N; i++)
    printf("%.17g\n", db[i]);
  return 0;
}
