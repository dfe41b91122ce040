// Loops that the optimiser vectorises and unrolls: sums, minima, reversed strides, several arrays of one direction.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double reductions(const double *restrict x, const float *restrict w, int n) {
  double sum = 0.0, product = 1.0, least = 1e9;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[n - 1 - i];
  for (int i = 0; i < n; i++)
    product *= 1.0 + 0.01 * x[i];
  for (int i = 0; i < n; i++)
    least = x[i] < least ? x[i] : least;
  float weights = 0.0f;
  for (int i = 0; i < n; i++)
    weights += w[i] * w[i];
  return sum * product + least + sqrt((double)weights);
}

static void saxpy(double a, const double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i] * fabs(x[i]);
}

int main(void) {
  enum { N = 37 };
  double x[N], dx[N], y[N], dy[N];
  float w[N], dw[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.5 + 0.1 * ((i * 7) % 13) - 0.03 * i;
    dx[i] = 0.25 * (i % 4);
    y[i] = i;
    dy[i] = i % 3 == 0;
    w[i] = 0.5f * (float)(i % 5);
    dw[i] = 1.0f;
  }
  printf("%.17g\n", __enzyme_fwddiff((void *)reductions, x, dx, w, dw, N));
  __enzyme_fwddiff((void *)saxpy, 1.5, 1.0, x, dx, y, dy, N);
  printf("%.17g %.17g %.17g\n", dy[0], dy[17], dy[36]);
  return 0;
}
