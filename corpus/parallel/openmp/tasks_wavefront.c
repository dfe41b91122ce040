// A table whose entries depend on those to the left and above, by blocks that are tasks with dependences.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6, B = 2, BLOCKS = N / B };

static void block(double (*t)[N + 1], const double *x, int n, int bi, int bj) {
  for (int i = 1 + bi * B; i <= (bi + 1) * B; i++)
    for (int j = 1 + bj * B; j <= (bj + 1) * B; j++) {
      double gap = 0.1 + 0.05 * x[(i + j) % n];
      t[i][j] = 0.5 * (t[i - 1][j] + t[i][j - 1]) * gap + t[i - 1][j - 1] * x[(i * j) % n];
    }
}

static double f(const double *x, int n) {
  double t[N + 1][N + 1];
  char done[BLOCKS + 1][BLOCKS + 1];
  for (int i = 0; i <= N; i++) t[i][0] = t[0][i] = x[i % n] + 1;
#pragma omp parallel
#pragma omp single
  for (int bi = 0; bi < BLOCKS; bi++)
    for (int bj = 0; bj < BLOCKS; bj++) {
#pragma omp task depend(in : done[bi][bj + 1], done[bi + 1][bj]) depend(out : done[bi + 1][bj + 1])
      block(t, x, n, bi, bj);
    }
  double sum = 0;
  for (int i = 1; i <= N; i++) sum += t[i][N] * t[N][i];
  return sum;
}

int main(void) {
  enum { n = 5 };
  double x[n], dx[n];
  start(x, dx, n);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  return differing(f, x, dx, n);
}
