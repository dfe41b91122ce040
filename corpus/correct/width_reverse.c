// `enzyme_width` in reverse mode: each gradient accumulates in shadows of its own; by-value components come as arrays.
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_width;

struct triple {
  double of[3];
};
struct columns {
  double x[2], y[2];
};
struct triple __enzyme_autodiff_triple(void *, ...);
struct columns __enzyme_autodiff_columns(void *, ...);

static double smooth(const double *x, int n, double k) {
  double buffer[8], s = 0.0;
  for (int i = 0; i < n; i++)
    buffer[i] = exp(-k * x[i] * x[i]);
  for (int i = 1; i < n; i++)
    s += buffer[i] * buffer[i - 1];
  return s;
}

static double product(double x, double y) { return x * sin(y); }

int main(void) {
  double x[4] = {0.1, 0.6, -0.3, 1.0}, d0[4] = {0}, d1[4] = {1.0, 2.0, 3.0, 4.0}, d2[4] = {0};
  struct triple g = __enzyme_autodiff_triple((void *)smooth, enzyme_width, 3, enzyme_dup, x, d0, d1, d2, enzyme_const, 4,
                                             enzyme_out, 0.7);
  for (int i = 0; i < 4; i++) {
    printf("%.15g %.15g\n", d0[i], d1[i]);
    if (fabs(d1[i] - d0[i] - (i + 1)) > 1e-14 || d2[i] != d0[i])
      return 1;
  }
  struct columns c = __enzyme_autodiff_columns((void *)product, enzyme_width, 2, enzyme_out, 2.0, enzyme_out, 0.5);
  printf("%.15g %.15g %.15g\n", g.of[0], c.x[0], c.y[1]);
  return g.of[0] != g.of[2] || c.x[0] != c.x[1] || c.y[0] != c.y[1];
}
