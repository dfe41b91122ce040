// `__enzyme_batch` over a function that itself asks for a tangent: several columns of a Jacobian in one call, with the inputs different
// in each set, or common to all.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_width, enzyme_vector, enzyme_scalar;

struct four {
  double of[4];
};
struct four __enzyme_batch_four(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static double potential(double r, double depth, double range) {
  double t = exp(-range * (r - 1.0));
  return depth * (t * t - 2.0 * t);
}

static double force(double r, double depth, double range) {
  return -__enzyme_fwddiff((void *)potential, enzyme_dup, r, 1.0, enzyme_const, depth, enzyme_const, range);
}

// A sum over four bonds, whose gradient needs the second derivative of the potential.
static double pull(const double *r, const double *depth) {
  struct four f = __enzyme_batch_four((void *)force, enzyme_width, 4, enzyme_vector, r[0], r[1], r[2], r[3], enzyme_vector,
                                      depth[0], depth[1], depth[2], depth[3], enzyme_scalar, 1.25);
  return f.of[0] * f.of[1] - f.of[2] + f.of[3] * f.of[3];
}

int main(void) {
  double r[4] = {0.8, 1.0, 1.3, 1.7}, depth[4] = {1.0, 2.0, 0.5, 1.5}, dr[4] = {0}, ddepth[4] = {0};
  struct four f = __enzyme_batch_four((void *)force, enzyme_width, 4, enzyme_vector, r[0], r[1], r[2], r[3], enzyme_scalar, 1.0,
                                      enzyme_scalar, 1.25);
  int wrong = 0;
  for (int i = 0; i < 4; i++) {
    double t = exp(-1.25 * (r[i] - 1.0));
    wrong += !(fabs(f.of[i] - 2.5 * (t * t - t)) < 1e-12);
  }
  __enzyme_autodiff_void((void *)pull, enzyme_dup, r, dr, enzyme_dup, depth, ddepth);
  for (int i = 0; i < 4; i++)
    printf("%.12g %.12g %.12g\n", f.of[i], dr[i], ddepth[i]);
  return wrong;
}
