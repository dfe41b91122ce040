// Scaling and squaring with a Taylor series: matrix products into scratch and back.
#include "adj.h"
#include <stdio.h>
#include <string.h>

#define N 3
typedef double matrix[N][N];

static void multiply(matrix out, matrix a, matrix b) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      out[i][j] = 0.0;
      for (int k = 0; k < N; k++)
        out[i][j] += a[i][k] * b[k][j];
    }
}

static double exponential_trace(matrix a) {
  matrix scaled, term, sum, next;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      scaled[i][j] = a[i][j] / 8.0;
      sum[i][j] = term[i][j] = i == j ? 1.0 : 0.0;
    }
  for (int k = 1; k <= 8; k++) {
    multiply(next, term, scaled);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        term[i][j] = next[i][j] / k;
        sum[i][j] += term[i][j];
      }
  }
  for (int k = 0; k < 3; k++) {
    multiply(next, sum, sum);
    memcpy(sum, next, sizeof sum);
  }
  return sum[0][0] * sum[1][1] + sum[0][2] * sum[2][1];
}

int main(void) {
  matrix a, da;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = 0.3 * i - 0.2 * j + (i == j ? 0.5 : 0.1);
      da[i][j] = 0.0;
    }
  printf("%.17g\n", exponential_trace(a));
  __enzyme_autodiff((void *)exponential_trace, enzyme_dup, a, da);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%.17g\n", da[i][j]);
  return 0;
}
