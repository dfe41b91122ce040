// A matrix that is factored by tiles, each step a task with the tiles that it reads and writes as dependences.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { T = 2, M = 3, N = T * M };

typedef double tile[T][T];

static void factor(tile a) {
  for (int k = 0; k < T; k++) {
    a[k][k] = sqrt(a[k][k]);
    for (int i = k + 1; i < T; i++) a[i][k] /= a[k][k];
    for (int j = k + 1; j < T; j++)
      for (int i = j; i < T; i++) a[i][j] -= a[i][k] * a[j][k];
  }
}
static void solve(tile l, tile b) {
  for (int r = 0; r < T; r++)
    for (int k = 0; k < T; k++) {
      for (int j = 0; j < k; j++) b[r][k] -= b[r][j] * l[k][j];
      b[r][k] /= l[k][k];
    }
}
static void update(tile c, tile a, tile b) {
  for (int i = 0; i < T; i++)
    for (int j = 0; j < T; j++)
      for (int k = 0; k < T; k++) c[i][j] -= a[i][k] * b[j][k];
}

static double f(const double *x, int n) {
  static tile a[M][M];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i / T][j / T][i % T][j % T] = (i == j) * (4 + x[i % n]) + 0.3 * sin(x[i % n] + x[j % n]);
#pragma omp parallel
#pragma omp master
  for (int k = 0; k < M; k++) {
#pragma omp task depend(inout : a[k][k])
    factor(a[k][k]);
    for (int i = k + 1; i < M; i++) {
#pragma omp task depend(in : a[k][k]) depend(inout : a[i][k])
      solve(a[k][k], a[i][k]);
    }
    for (int i = k + 1; i < M; i++)
      for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : a[i][k], a[j][k]) depend(inout : a[i][j])
        update(a[i][j], a[i][k], a[j][k]);
      }
  }
  double det = 0;
  for (int i = 0; i < N; i++) det += log(a[i / T][i / T][i % T][i % T]);
  return det + a[M - 1][0][0][1];
}

int main(void) {
  enum { n = 4 };
  double x[n], dx[n];
  start(x, dx, n);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  return differing(f, x, dx, n);
}
