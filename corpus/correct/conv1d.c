// A one-dimensional convolution, leaky rectifier and max pooling, with zero padding.
#include "adj.h"
#include <stdio.h>

#define N 12
#define K 3

static double network(const double *x, const double *kernel) {
  double y[N], out = 0.0;
  for (int i = 0; i < N; i++) {
    y[i] = kernel[K];
    for (int k = 0; k < K; k++) {
      int at = i + k - K / 2;
      if (at < 0 || at >= N)
        continue;
      y[i] += kernel[k] * x[at];
    }
    if (y[i] < 0.0)
      y[i] *= 0.1;
  }
  for (int i = 0; i < N; i += 3) {
    double best = y[i];
    for (int j = 1; j < 3; j++)
      if (y[i + j] > best)
        best = y[i + j];
    out += best * best * (1.0 + i);
  }
  return out;
}

int main(void) {
  double x[N], dx[N] = {0}, k[K + 1] = {0.4, -0.9, 0.7, 0.05}, dk[K + 1] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.3 * ((i * 7) % 11) - 1.4;
  printf("%.17g\n", network(x, k));
  __enzyme_autodiff((void *)network, enzyme_dup, x, dx, enzyme_dup, k, dk);
  for (int i = 0; i < N; i++)
    printf("%.17g\n", dx[i]);
  for (int i = 0; i <= K; i++)
    printf("%.17g\n", dk[i]);
  return 0;
}
