// Numbers beyond all that a format holds, of which a function makes a finite one: a quotient's denominator, `tanh`,
// `exp` of a negative one, `fmin`. They have no part in the gradient, whatever they are products of.
#include "adj.h"
#include <math.h>
#include <stdio.h>

/* The growth of a population, long after it has filled its room. */
static double logistic(const double *x, double time) {
  double ratio = x[1] * exp(x[2] * time);
  return x[0] / (1.0 + ratio * x[1]) + x[0] * x[0];
}

static double saturated(const double *x, double width) {
  double part = x[0] / width * x[1];
  return tanh(part * x[2]) * x[2] + exp(-part * x[0]) + x[0] * x[1];
}

/* The largest step allowed by a wave that does not move. */
static double least(const double *x, double speed) {
  double crossing = x[0] / speed;
  return fmin(x[1] * crossing, x[2]) * x[0] + fmax(-crossing * x[2], x[1]);
}

/* Both arms are finite or not together, and a branch chooses. */
static double in_a_branch(const double *x, double width) {
  double part = x[0] / width * x[1];
  return width > 0.1 ? part * x[2] : 1.0 / (1.0 + part * x[1]) + x[2] * x[2];
}

/* What is given is infinite, or no number: the limit holds. */
static double limited(const double *x, const double *data, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += fmin(x[i] * data[i] * x[0], 20.0);
  return sum;
}

static int differ(const char *name, const double *a, double first, double second, double third) {
  double right[3] = {first, second, third};
  for (int i = 0; i < 3; i++)
    if (!(fabs(a[i] - right[i]) < 1e-12)) return printf("%s, component %d: %g\n", name, i, a[i]), 1;
  return 0;
}

int main(void) {
  double x[3] = {1.5, 2.5, 3.5}, d[3] = {0};
  __enzyme_autodiff((void *)logistic, enzyme_dup, x, d, enzyme_const, 1e3);
  if (differ("logistic", d, 3, 0, 0)) return 1;
  d[0] = d[1] = d[2] = 0;
  __enzyme_autodiff((void *)saturated, enzyme_dup, x, d, enzyme_const, 1e-310);
  if (differ("saturated", d, 2.5, 1.5, 1)) return 1;
  d[0] = d[1] = d[2] = 0;
  __enzyme_autodiff((void *)least, enzyme_dup, x, d, enzyme_const, 1e-310);
  if (differ("least", d, 3.5, 1, 1.5)) return 1;
  d[0] = d[1] = d[2] = 0;
  __enzyme_autodiff((void *)in_a_branch, enzyme_dup, x, d, enzyme_const, 1e-310);
  if (differ("in_a_branch", d, 0, 0, 7)) return 1;
  d[0] = d[1] = d[2] = 0;
  double data[3] = {2, NAN, INFINITY};
  __enzyme_autodiff((void *)limited, enzyme_dup, x, d, enzyme_const, data, enzyme_const, 3);
  if (differ("limited", d, 6, 0, 0)) return 1;
  return 0;
}
