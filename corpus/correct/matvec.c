// y = A x with an output array: the shadow of y carries the seeds, is consumed, and ends at zero.
#include "adj.h"
#include <stdio.h>

#define M 3
#define N 4

static void matvec(const double *a, const double *x, double *y, int m, int n) {
  for (int i = 0; i < m; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

int main(void) {
  double a[M * N], da[M * N] = {0}, x[N], dx[N] = {0}, y[M], dy[M];
  for (int i = 0; i < M * N; i++)
    a[i] = 0.3 * i - 1.1;
  for (int j = 0; j < N; j++)
    x[j] = 1.0 + 0.5 * j;
  for (int i = 0; i < M; i++) {
    y[i] = 0.0;
    dy[i] = 1.0 + i;
  }
  __enzyme_autodiff((void *)matvec, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, M, enzyme_const, N);
  for (int i = 0; i < M; i++)
    printf("y %.17g dy %.17g\n", y[i], dy[i]);
  for (int i = 0; i < M * N; i++)
    printf("da %.17g\n", da[i]);
  for (int j = 0; j < N; j++)
    printf("dx %.17g\n", dx[j]);
  return 0;
}
