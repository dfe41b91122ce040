// Nesting: the squared norm of a gradient needs the full Hessian; `df` uses only its diagonal.
// Evidence: the primal contains a differentiated call through a shadow array, and what is missing
// is the mixed second-order term.
#include "adj.h"
#include <stdio.h>

static double energy(const double *x) {
  return x[0] * x[0] * x[1] + x[1] * x[1] * x[1];
}

static double gradient_norm(const double *x) {
  double g[2] = {0.0, 0.0};
  __enzyme_autodiff((void *)energy, enzyme_dup, x, g);
  return g[0] * g[0] + g[1] * g[1];
}

static void dgradient_norm(const double *x, double *dx, double seed) {
  double g0 = 2.0 * x[0] * x[1], g1 = x[0] * x[0] + 3.0 * x[1] * x[1];
  dx[0] += seed * 2.0 * g0 * 2.0 * x[1]; //~ wrong: nesting
  dx[1] += seed * 2.0 * g1 * 6.0 * x[1];
}

int main(void) {
  double x[2] = {1.1, 0.7}, dx[2] = {0};
  __adj_check_gradient((void *)gradient_norm, (void *)dgradient_norm, enzyme_dup, x, dx, 1.0);
  printf("%.15g\n", gradient_norm(x));
  return 0;
}
