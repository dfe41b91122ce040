// Second derivatives at an exact fit: every residual is zero, so every adjoint is zero there, and the Hessian is not.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static double misfit(const double *p, const double *data, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double model = log(p[0] + i) / p[1];
    double r = model - data[i];
    sum += r * r;
  }
  return 0.5 * sum;
}

static double slope(const double *p, const double *data, int n, int j) {
  double g[2] = {0.0, 0.0};
  __enzyme_autodiff_void((void *)misfit, enzyme_dup, p, g, enzyme_const, data, enzyme_const, n);
  return g[j];
}

int main(void) {
  double p[2] = {1.5, 0.75}, data[4];
  for (int i = 0; i < 4; i++)
    data[i] = log(p[0] + i) / p[1];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double e[2] = {i == 0, i == 1};
      double h = __enzyme_fwddiff((void *)slope, enzyme_dup, p, e, enzyme_const, data, enzyme_const, 4, enzyme_const, j);
      printf("%d %d %.12g\n", i, j, h);
    }
  return 0;
}
