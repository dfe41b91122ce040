/* The adjoint of a square root and of a quotient is zero by chance, and its derivative is not. */
#include "adj.h"
#include <math.h>

static double f(const double *v) {
  double root = sqrt(v[1]);
  return (v[0] - 1.0) * root + (v[0] - 1.0) / v[1];
}

static void gradient(const double *v, double *g) {
  g[0] = g[1] = 0;
  __enzyme_autodiff((void *)f, v, g);
}

int main(void) {
  double v[2] = {1.0, 4.0}, g[2], dv[2] = {1, 0}, h[2];
  __enzyme_fwddiff((void *)gradient, v, dv, g, h);
  /* By v[1] the gradient is zero at this place; not so its derivative by v[0]. */
  return !(g[1] == 0 && fabs(h[0]) < 1e-12 && fabs(h[1] - (0.25 - 1.0 / 16)) < 1e-12);
}
