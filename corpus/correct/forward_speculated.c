// Arms of conditions that are computed ahead of them and thrown away: infinite there, and of no consequence, also not
// for second derivatives, and not where an adjoint happens to be zero.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double guarded(double x, double y) {
  double root = x > 0.0 ? sqrt(x) / x : 0.0;
  double ratio = y != 0.0 ? x / y : x;
  return root * root + ratio * ratio * y + (x > 1.0 ? log(x - 1.0) * y : y * y);
}

// The adjoint of the product is 2·product: zero at a = 0, while its own derivative is not.
static double squared(double a, double b) {
  double product = b > 0.0 ? a * b : 1.0 / (b * b + 1.0);
  return product * product;
}

static double slope_x(double x, double y) {
  return __enzyme_autodiff((void *)guarded, enzyme_out, x, enzyme_const, y);
}

static double slope_a(double a, double b) {
  return __enzyme_autodiff((void *)squared, enzyme_out, a, enzyme_const, b);
}

int main(void) {
  const double xs[4] = {0.5, -0.5, 2.0, 1e-3}, ys[3] = {0.7, 0.0, -0.7};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) {
      if (j == 1)
        continue;
      double t = __enzyme_fwddiff((void *)guarded, xs[i], 1.0, ys[j], 0.5);
      double h = __enzyme_fwddiff((void *)slope_x, xs[i], 1.0, ys[j], 0.5);
      double r = __enzyme_autodiff((void *)slope_x, enzyme_out, xs[i], enzyme_const, ys[j]);
      printf("%.12g %.12g %.12g\n", t, h, r);
    }
  printf("%.12g\n", __enzyme_fwddiff((void *)slope_a, 0.0, 1.0, enzyme_const, 3.0));
  printf("%.12g\n", __enzyme_autodiff((void *)slope_a, enzyme_out, 0.0, enzyme_const, 3.0));
  return 0;
}
