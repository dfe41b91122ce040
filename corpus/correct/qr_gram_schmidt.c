// Modified Gram-Schmidt on the columns of a matrix in place; R is kept in a second output.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define M 5
#define N 3

static void qr(double q[M][N], double r[N][N]) {
  for (int j = 0; j < N; j++) {
    double norm = 0.0;
    for (int i = 0; i < M; i++)
      norm += q[i][j] * q[i][j];
    r[j][j] = sqrt(norm);
    for (int i = 0; i < M; i++)
      q[i][j] /= r[j][j];
    for (int k = j + 1; k < N; k++) {
      double dot = 0.0;
      for (int i = 0; i < M; i++)
        dot += q[i][j] * q[i][k];
      r[j][k] = dot;
      for (int i = 0; i < M; i++)
        q[i][k] -= dot * q[i][j];
    }
  }
}

int main(void) {
  double q[M][N], dq[M][N], r[N][N] = {{0}}, dr[N][N] = {{0}};
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      q[i][j] = 1.0 / (1.0 + i + 2 * j) + (i == j);
      dq[i][j] = 0.1 * (i - j);
    }
  for (int i = 0; i < N; i++)
    dr[i][i] = 1.0;
  __enzyme_autodiff((void *)qr, enzyme_dup, q, dq, enzyme_dup, r, dr);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      printf("%.17g %.17g\n", q[i][j], dq[i][j]);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g\n", r[i][i], dr[i][i]);
  return 0;
}
