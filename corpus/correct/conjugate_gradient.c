// Conjugate gradients on a small system, run until the residual is small enough.
#include "adj.h"
#include <stdio.h>

#define N 6

static double dot(const double *a, const double *b) {
  double s = 0.0;
  for (int i = 0; i < N; i++)
    s += a[i] * b[i];
  return s;
}

static void apply(const double *d, const double *x, double *y) {
  for (int i = 0; i < N; i++) {
    y[i] = (2.0 + d[i] * d[i]) * x[i];
    if (i > 0)
      y[i] -= x[i - 1];
    if (i + 1 < N)
      y[i] -= x[i + 1];
  }
}

static double solve(const double *d, const double *b) {
  double x[N], r[N], p[N], ap[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.0;
    r[i] = p[i] = b[i];
  }
  double rr = dot(r, r);
  for (int it = 0; it < 50 && rr > 1e-6; it++) {
    apply(d, p, ap);
    double alpha = rr / dot(p, ap);
    for (int i = 0; i < N; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    double next = dot(r, r), beta = next / rr;
    rr = next;
    for (int i = 0; i < N; i++)
      p[i] = r[i] + beta * p[i];
  }
  return dot(x, b);
}

int main(void) {
  double d[N], dd[N] = {0}, b[N], db[N] = {0};
  for (int i = 0; i < N; i++) {
    d[i] = 0.5 + 0.2 * i;
    b[i] = 1.0 - 0.3 * (i % 3);
  }
  printf("%.17g\n", solve(d, b));
  __enzyme_autodiff((void *)solve, enzyme_dup, d, dd, enzyme_dup, b, db);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g\n", dd[i], db[i]);
  return 0;
}
