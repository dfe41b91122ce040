// Newton's method with value and slope from one call each step.
#include "adj.h"
#include <math.h>

extern int enzyme_primal_return;

struct point {
  double value, slope;
};
struct point __enzyme_autodiff_point(void *, ...);

static double cubic(double x, double c) { return x * x * x - 2.0 * x - c; }

static double residual(const double *c, double x) { return exp(-x) * c[0] + c[1] * x; }

int main(void) {
  double x = 2.0;
  for (int i = 0; i < 6; i++) {
    struct point p = __enzyme_autodiff_point((void *)cubic, enzyme_primal_return, enzyme_out, x, enzyme_const, 5.0);
    x -= p.value / p.slope;
  }
  double c[2] = {2.0, -1.0}, dc[2] = {0.0, 0.0}, y = 0.5;
  for (int i = 0; i < 4; i++) {
    struct point p = __enzyme_autodiff_point((void *)residual, enzyme_primal_return, enzyme_dup, c, dc, enzyme_out, y);
    y -= p.value / p.slope;
  }
  return fabs(cubic(x, 5.0)) < 1e-12 && fabs(residual(c, y)) < 1e-10 ? 0 : 1;
}
