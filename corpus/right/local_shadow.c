// A scratch array inside `f` whose shadow `df` keeps, clears and reverses by itself.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 5

static double smooth_peak(const double *x) {
  double s[N], sum = 0.0;
  for (int i = 0; i < N; i++)
    s[i] = 0.5 * x[i] + 0.25 * (x[(i + 1) % N] + x[(i + N - 1) % N]);
  for (int i = 0; i < N; i++)
    sum += exp(s[i] * s[i]);
  return log(sum);
}

static void dsmooth_peak(const double *x, double *dx, double seed) {
  double s[N], ds[N], sum = 0.0;
  memset(ds, 0, sizeof ds);
  for (int i = 0; i < N; i++)
    s[i] = 0.5 * x[i] + 0.25 * (x[(i + 1) % N] + x[(i + N - 1) % N]);
  for (int i = 0; i < N; i++)
    sum += exp(s[i] * s[i]);
  for (int i = 0; i < N; i++)
    ds[i] += seed / sum * exp(s[i] * s[i]) * 2.0 * s[i];
  for (int i = 0; i < N; i++) {
    dx[i] += 0.5 * ds[i];
    dx[(i + 1) % N] += 0.25 * ds[i];
    dx[(i + N - 1) % N] += 0.25 * ds[i];
  }
}

int main(void) {
  double x[N] = {0.2, 0.8, -0.5, 1.1, 0.4}, dx[N] = {0};
  __adj_check_gradient((void *)smooth_peak, (void *)dsmooth_peak, enzyme_dup, x, dx, 1.0);
  for (int i = 0; i < N; i++)
    printf("%.15g\n", dx[i]);
  return 0;
}
