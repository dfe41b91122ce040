// `enzyme_runtime_activity`: whether an array is constant is told at run time, by passing it as its own shadow.
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_runtime_activity;

static double weighted(const double *x, const double *w, double *scratch, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    const double *from = i % 2 ? x : w;
    scratch[i] = x[i] * w[i] + sin(from[i]);
  }
  for (int i = 0; i < n; i++)
    s += scratch[i] * scratch[n - 1 - i];
  return s;
}

int main(void) {
  double x[4] = {0.5, 1.5, -0.25, 0.75}, w[4] = {2.0, 0.3, 1.1, -0.6}, scratch[4] = {0};
  for (int constant = 0; constant < 2; constant++) {
    double dx[4] = {0}, dw[4] = {0}, dscratch[4] = {0};
    __enzyme_autodiff((void *)weighted, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, w, constant ? w : dw,
                      enzyme_dup, scratch, dscratch, enzyme_const, 4);
    for (int i = 0; i < 4; i++)
      printf("%.12g %.12g\n", dx[i], dw[i]);
    if ((dw[0] == 0.0) != constant || w[0] != 2.0)
      return 1;
  }
  return 0;
}
