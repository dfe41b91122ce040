// A rectified linear unit whose argument is exactly zero.
#include "adj.h"
#include <stdio.h>

static double rectify(double x) {
  return x > 0.0 ? x : 0.0; //~ kink
}

static double unit(const double *w, const double *x) {
  double a = w[0] * x[0] + w[1] * x[1];
  return rectify(a) * 3.0 + a * a;
}

int main(void) {
  double w[2] = {0.5, -0.25}, dw[2] = {0}, x[2] = {1.0, 2.0};
  printf("%.17g\n", unit(w, x));
  __enzyme_autodiff((void *)unit, enzyme_dup, w, dw, enzyme_const, x);
  printf("%d\n", dw[0] == dw[0]);
  return 0;
}
