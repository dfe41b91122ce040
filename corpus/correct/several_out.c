// Several active scalars: the call returns their components in a structure.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct two {
  double a, b;
};
struct three {
  double a, b, c;
};
struct two __enzyme_autodiff_two(void *, ...);
struct three __enzyme_autodiff_three(void *, ...);

static double polar(double r, double angle) {
  return r * r * cos(angle) + r * sin(2.0 * angle);
}

static double quadratic_root(double a, double b, double c) {
  double d = b * b - 4.0 * a * c;
  return (-b + sqrt(d)) / (2.0 * a);
}

int main(void) {
  struct two g = __enzyme_autodiff_two((void *)polar, 1.3, 0.4);
  printf("%.17g %.17g %.17g\n", polar(1.3, 0.4), g.a, g.b);
  struct three h = __enzyme_autodiff_three((void *)quadratic_root, enzyme_out, 1.0, enzyme_out, -3.0,
                                           enzyme_out, 1.25);
  printf("%.17g %.17g %.17g %.17g\n", quadratic_root(1.0, -3.0, 1.25), h.a, h.b, h.c);
  struct two k = __enzyme_autodiff_two((void *)quadratic_root, enzyme_out, 2.0, enzyme_const, 1.0,
                                       enzyme_out, -4.0);
  printf("%.17g %.17g\n", k.a, k.b);
  return 0;
}
