// A whole Jacobian by one call with several directions, and several tangents of scalars returned in a structure.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct three {
  double d[3];
};
struct two {
  double a, b;
};

void __enzyme_fwddiff_void(void *, ...);
struct three __enzyme_fwddiff_three(void *, ...);
struct two __enzyme_fwddiff_two(void *, ...);

static void spherical(const double *in, double *out) {
  double r = in[0], theta = in[1], phi = in[2];
  out[0] = r * sin(theta) * cos(phi);
  out[1] = r * sin(theta) * sin(phi);
  out[2] = r * cos(theta);
}

static double volume(const double *in, double scale) { return scale * in[0] * in[0] * sin(in[1]) / (1.0 + in[2]); }

static double power(double x, double y) { return pow(x, y); }

int main(void) {
  double x[3] = {1.5, 0.7, 0.4}, y[3];
  double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, j[3][3] = {{0.0}};
  __enzyme_fwddiff_void((void *)spherical, enzyme_width, 3, enzyme_dup, x, e[0], e[1], e[2], enzyme_dup, y, j[0],
                        j[1], j[2]);
  for (int i = 0; i < 3; i++)
    printf("%.17g | %.17g %.17g %.17g\n", y[i], j[0][i], j[1][i], j[2][i]);
  struct three g = __enzyme_fwddiff_three((void *)volume, enzyme_width, 3, enzyme_dup, x, e[0], e[1], e[2],
                                          enzyme_const, 2.0);
  printf("%.17g %.17g %.17g\n", g.d[0], g.d[1], g.d[2]);
  struct two p = __enzyme_fwddiff_two((void *)power, enzyme_width, 2, enzyme_dup, 1.3, 1.0, 0.0, enzyme_dup, 2.2,
                                      0.0, 1.0);
  printf("%.17g %.17g\n", p.a, p.b);
  return 0;
}
