// A batch of residuals of a model at several times, with the model's parameters shared, inside of a least-squares misfit.
#include "adj.h"
#include <math.h>

extern int enzyme_width, enzyme_vector, enzyme_scalar;

struct three {
  double at[3];
};
extern struct three __enzyme_batch_residual(void *, ...);

static double residual(double t, double y, double amplitude, double rate) {
  return amplitude * exp(-rate * t) * cos(t) - y;
}

static double misfit(const double *p, const double *t, const double *y) {
  struct three r = __enzyme_batch_residual((void *)residual, enzyme_width, 3, enzyme_vector, t[0], t[1], t[2], enzyme_vector,
                                           y[0], y[1], y[2], enzyme_scalar, p[0], enzyme_scalar, p[1]);
  double s = 0.0;
  for (int i = 0; i < 3; i++) s += r.at[i] * r.at[i];
  return s;
}

int main(void) {
  double p[2] = {1.5, 0.25}, dp[2] = {0}, t[3] = {0.0, 0.5, 1.25}, y[3] = {1.4, 1.0, 0.3}, dy[3] = {0};
  __enzyme_autodiff((void *)misfit, enzyme_dup, p, dp, enzyme_const, t, enzyme_dup, y, dy);
  return dp[0] != 0.0 && dp[1] != 0.0 && dy[2] != 0.0 ? 0 : 1;
}
