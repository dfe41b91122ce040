// One function differentiated with respect to different arguments, called from one place each and from another gradient's primal.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double model(const double *w, const double *x, int n, double bias) {
  double z = bias;
  for (int i = 0; i < n; i++)
    z += w[i] * x[i];
  return tanh(z) * bias;
}

static double loss(const double *w, const double *x, int n, double bias) {
  double d = model(w, x, n, bias) - model(x, w, n, 2.0 * bias);
  return d * d;
}

int main(void) {
  double w[3] = {0.1, -0.4, 0.7}, x[3] = {1.0, 2.0, 0.5}, dw[3] = {0}, dx[3] = {0};
  __enzyme_autodiff((void *)model, enzyme_dup, w, dw, enzyme_const, x, enzyme_const, 3, enzyme_const, 0.3);
  __enzyme_autodiff((void *)model, enzyme_const, w, enzyme_dup, x, dx, enzyme_const, 3, enzyme_const, 0.3);
  double db = __enzyme_autodiff((void *)model, enzyme_const, w, enzyme_const, x, enzyme_const, 3, enzyme_out, 0.3);
  double dl = __enzyme_autodiff((void *)loss, enzyme_dup, w, dw, enzyme_dup, x, dx, enzyme_const, 3, enzyme_out, 0.3);
  for (int i = 0; i < 3; i++)
    printf("%.17g %.17g\n", dw[i], dx[i]);
  printf("%.17g %.17g\n", db, dl);
  return 0;
}
