// A function applied to a batch of points, whose results come back together.
#include "adj.h"

extern int enzyme_width, enzyme_vector, enzyme_scalar;

struct four {
  double at[4];
};
extern struct four __enzyme_batch_polynomial(void *, ...);

static double polynomial(double x, const double *c) { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }

static double roughness(const double *x, const double *c) {
  double s = 0.0;
  for (int i = 0; i + 1 < 4; i++) {
    double step = polynomial(x[i + 1], c) - polynomial(x[i], c);
    s += step * step;
  }
  return s;
}

int main(void) {
  double x[4] = {0.1, 0.5, 1.0, 1.75}, dx[4] = {0}, c[4] = {1.0, -0.5, 0.25, 2.0}, dc[4] = {0};
  struct four v = __enzyme_batch_polynomial((void *)polynomial, enzyme_width, 4, enzyme_vector, x[0], x[1], x[2], x[3],
                                            enzyme_scalar, c);
  for (int i = 0; i < 4; i++)
    if (v.at[i] != polynomial(x[i], c)) return 1;
  __enzyme_autodiff((void *)roughness, enzyme_dup, x, dx, enzyme_dup, c, dc);
  // The constant term falls out of every step: what is left of it is rounding.
  return dc[0] * dc[0] < 1e-24 && dx[0] != 0.0 ? 0 : 1;
}
