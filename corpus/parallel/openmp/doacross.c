// Iterations that wait for others: for the one before, and in two dimensions for the neighbours above and to the left.
// In the reverse pass the others wait.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12, ROWS = 4, COLUMNS = 3 };

static double f(const double *x, int n) {
  double chain[N], grid[ROWS][COLUMNS], sum = 0;
  for (int round = 0; round < 2; round++) {
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 0; i < n; i++) {
      double own = sin(x[i]);
#pragma omp ordered depend(sink : i - 1)
      chain[i] = (i ? chain[i - 1] : 0.5) * x[i] + own;
#pragma omp ordered depend(source)
      own = 0;
    }
    sum += chain[n - 1] * chain[n / 2];
  }
#pragma omp parallel for collapse(2) ordered(2)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      double above = i ? grid[i - 1][j] : 1, left = j ? grid[i][j - 1] : 1;
      grid[i][j] = above * left * 0.5 + x[i * COLUMNS + j] * above;
#pragma omp ordered depend(source)
    }
  return sum + grid[ROWS - 1][COLUMNS - 1] * grid[1][1];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
