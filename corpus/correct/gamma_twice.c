// The gamma function and its logarithm, differentiated twice in the four nestings of reverse and forward mode: both
// derivatives are made of the series of the digamma function, which is cut off.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double f(const double *x) { return 0.5 * tgamma(1.5 + 0.4 * x[0]) + lgamma(x[1]) * x[0]; }

static void reverse(const double *x, double *g) { __enzyme_autodiff((void *)f, enzyme_dup, x, g); }

static double forward(const double *x, const double *v) {
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, v);
}

int main(void) {
  double x[2] = {-0.8, 1.3}, v[2] = {0.75, -0.5};
  double g[2] = {0}, dg[2] = {0}, hv[2] = {0}, w[2] = {1.0, 0.5}, gv[2] = {0}, one[2] = {0};
  __enzyme_fwddiff((void *)reverse, enzyme_dup, x, v, enzyme_dup, g, dg);
  __enzyme_autodiff((void *)reverse, enzyme_dup, x, hv, enzyme_dup, one, w);
  __enzyme_autodiff((void *)forward, enzyme_dup, x, gv, enzyme_const, v);
  double second = __enzyme_fwddiff((void *)forward, enzyme_dup, x, v, enzyme_const, v);
  for (int i = 0; i < 2; i++)
    printf("%.10g %.10g %.10g\n", dg[i], hv[i], gv[i]);
  printf("%.10g\n", second);
  return 0;
}
