// `enzyme_const_return`: only what the function leaves in memory is differentiated, the returned error estimate is not.
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_const_return, enzyme_active_return;

static double relax(double *u, int n) {
  double change = 0.0;
  for (int i = 1; i + 1 < n; i++) {
    double next = 0.5 * (u[i - 1] * u[i + 1] + u[i]);
    change += fabs(next - u[i]);
    u[i] = next;
  }
  return change;
}

int main(void) {
  double u[5] = {1.0, 0.2, -0.4, 0.9, 2.0}, du[5] = {0.0, 1.0, 0.5, -2.0, 0.0};
  __enzyme_autodiff((void *)relax, enzyme_const_return, enzyme_dup, u, du, enzyme_const, 5);
  double w[5] = {1.0, 0.2, -0.4, 0.9, 2.0}, dw[5] = {0.0, 1.0, 0.5, -2.0, 0.0};
  __enzyme_autodiff((void *)relax, enzyme_active_return, enzyme_dup, w, dw, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.12g %.12g %.12g\n", u[i], du[i], dw[i]);
  return du[1] == dw[1];
}
