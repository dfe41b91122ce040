// The factor of an active value is a number less its own rounding to single precision: in exact arithmetic nothing is left of it,
// and what is computed is the rounding alone. The derivative is as good as the primal, and neither has lost anything.
#include "adj.h"
#include <stdio.h>

static double residue(const double *a, const double *w, double x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    float stored = (float)a[i];
    sum += (a[i] - stored) * w[i] * x;
  }
  return sum;
}

int main(void) {
  double a[3] = {-0.679, 0.1, 2.3}, w[3] = {1.0, -0.5, 0.25}, dw[3] = {0};
  double dx = __enzyme_autodiff((void *)residue, enzyme_const, a, enzyme_dup, w, dw, enzyme_out, -0.4737, enzyme_const, 3);
  printf("%.17g\n", dx);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dw[i]);
  return 0;
}
