// A natural cubic spline: tridiagonal solve for the moments, interval search, evaluation.
#include "adj.h"
#include <stdio.h>

#define N 6

static double spline(const double *x, const double *y, double at) {
  double m[N], c[N], d[N];
  c[0] = d[0] = 0.0;
  for (int i = 1; i + 1 < N; i++) {
    double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    double slope = 6.0 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
    double pivot = 2.0 * (h0 + h1) - h0 * c[i - 1];
    c[i] = h1 / pivot;
    d[i] = (slope - h0 * d[i - 1]) / pivot;
  }
  m[N - 1] = 0.0;
  for (int i = N - 2; i >= 0; i--)
    m[i] = d[i] - c[i] * m[i + 1];
  int lo = 0, hi = N - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (x[mid] > at)
      hi = mid;
    else
      lo = mid;
  }
  double h = x[hi] - x[lo], a = (x[hi] - at) / h, b = (at - x[lo]) / h;
  return a * y[lo] + b * y[hi] + ((a * a * a - a) * m[lo] + (b * b * b - b) * m[hi]) * h * h / 6.0;
}

int main(void) {
  double x[N] = {0.0, 0.7, 1.5, 2.1, 3.0, 4.2}, y[N] = {1.0, 0.4, -0.3, 0.8, 1.6, 0.2};
  for (int k = 0; k < 3; k++) {
    double dx[N] = {0}, dy[N] = {0}, at = 0.3 + 1.4 * k;
    printf("%.17g\n", spline(x, y, at));
    double da = __enzyme_autodiff((void *)spline, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_out, at);
    printf("%.17g\n", da);
    for (int i = 0; i < N; i++)
      printf("%.17g %.17g\n", dx[i], dy[i]);
  }
  return 0;
}
