// `enzyme_primal_return`: value and gradient of one call, with one component, with several, and with none.
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_primal_return, enzyme_noret;

struct one {
  double value, dx;
};
struct two {
  double value, dx, dy;
};
struct one __enzyme_autodiff_one(void *, ...);
struct two __enzyme_autodiff_two(void *, ...);

static double product(double x, double y) { return sin(x) * y; }
static double sum(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}

int main(void) {
  int wrong = 0;
  for (int i = 1; i <= 3; i++) {
    double x = 0.5 * i, y = 2.0 - 0.25 * i, v[3] = {x, y, -1.0}, dv[3] = {0};
    struct two g = __enzyme_autodiff_two((void *)product, enzyme_primal_return, x, y);
    wrong += g.value != product(x, y) || fabs(g.dx - cos(x) * y) > 1e-15 || g.dy != sin(x);
    struct one h = __enzyme_autodiff_one((void *)product, enzyme_primal_return, x, enzyme_const, y);
    wrong += h.value != g.value || h.dx != g.dx;
    double value = __enzyme_autodiff((void *)sum, enzyme_primal_return, enzyme_dup, v, dv, 3);
    wrong += value != sum(v, 3);
    __enzyme_autodiff((void *)sum, enzyme_noret, v, dv, 3);
    printf("%.17g %.17g %.17g %.17g %.17g\n", g.value, g.dx, g.dy, value, dv[1]);
  }
  return wrong;
}
