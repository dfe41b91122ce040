// Lagrange interpolation in the basic and the barycentric form, nodes and values both active.
#include "adj.h"
#include <stdio.h>

#define N 5

static double lagrange(const double *x, const double *y, double at) {
  double sum = 0.0;
  for (int i = 0; i < N; i++) {
    double basis = y[i];
    for (int j = 0; j < N; j++)
      if (j != i)
        basis *= (at - x[j]) / (x[i] - x[j]);
    sum += basis;
  }
  return sum;
}

static double barycentric(const double *x, const double *y, double at) {
  double weight[N], top = 0.0, bottom = 0.0;
  for (int i = 0; i < N; i++) {
    weight[i] = 1.0;
    for (int j = 0; j < N; j++) {
      if (j == i)
        continue;
      weight[i] /= x[i] - x[j];
    }
    double t = weight[i] / (at - x[i]);
    top += t * y[i];
    bottom += t;
  }
  return top / bottom;
}

int main(void) {
  double x[N] = {0.0, 0.8, 1.5, 2.7, 3.6}, y[N] = {1.0, -0.5, 2.0, 0.7, -1.2};
  double dx[N] = {0}, dy[N] = {0}, ex[N] = {0}, ey[N] = {0};
  double a = __enzyme_autodiff((void *)lagrange, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_out, 1.1);
  double b = __enzyme_autodiff((void *)barycentric, enzyme_dup, x, ex, enzyme_dup, y, ey, enzyme_out, 1.1);
  printf("%.15g %.15g\n%.14g %.14g\n", lagrange(x, y, 1.1), barycentric(x, y, 1.1), a, b);
  for (int i = 0; i < N; i++)
    printf("%.13g %.13g %.13g %.13g\n", dx[i], ex[i], dy[i], ey[i]);
  return 0;
}
