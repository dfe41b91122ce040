// Gauss-Seidel for a nonlinear Poisson problem on a grid, in place, a fixed number of rounds.
#include "adj.h"
#include <stdio.h>

#define N 5

static double relax(const double *source, double coupling) {
  double u[N + 2][N + 2];
  for (int i = 0; i < N + 2; i++)
    for (int j = 0; j < N + 2; j++)
      u[i][j] = 0.0;
  for (int round = 0; round < 6; round++)
    for (int i = 1; i <= N; i++)
      for (int j = 1; j <= N; j++) {
        double around = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
        u[i][j] = (around + source[(i - 1) * N + j - 1]) / (4.0 + coupling * u[i][j] * u[i][j]);
      }
  double sum = 0.0;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++)
      sum += u[i][j] * (i + 0.1 * j);
  return sum;
}

int main(void) {
  double s[N * N], ds[N * N] = {0};
  for (int i = 0; i < N * N; i++)
    s[i] = 1.0 + 0.1 * ((i * 5) % 7);
  printf("%.17g\n", relax(s, 0.8));
  double dc = __enzyme_autodiff((void *)relax, enzyme_dup, s, ds, enzyme_out, 0.8);
  printf("%.17g\n", dc);
  for (int i = 0; i < N * N; i++)
    printf("%.17g\n", ds[i]);
  return 0;
}
