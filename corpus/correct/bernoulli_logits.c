// The log-likelihood of yes and no under a logistic model, by the formula that cannot overflow and by the plain one, in both modes:
// what they say must be one number.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double log1pexp(double x) {
  if (x < -37.0)
    return exp(x);
  if (x < 18.0)
    return log1p(exp(x));
  return x < 33.3 ? x + exp(-x) : x;
}

static double logpdf(double logit, bool yes) { return yes ? -log1pexp(-logit) : -log1pexp(logit); }
static double plain(double p, bool yes) { return log(yes ? p : 1.0 - p); }

static double likelihood(const double *slope, const double *x, const bool *yes, int n) {
  double sum = -0.5 * slope[0] * slope[0];
  for (int i = 0; i < n; i++) {
    double logit = slope[0] + slope[1] * x[i];
    sum += logpdf(logit, yes[i]);
    if (fabs(logit) < 3.0)
      sum += plain(1.0 / (1.0 + exp(-logit)), yes[i]);
  }
  return sum;
}

int main(void) {
  double slope[2] = {0.3, 1.7}, g[2] = {0}, x[6] = {-30.0, 0.5, 1.2, 25.0, -0.4, 12.0};
  bool yes[6] = {false, true, false, true, true, false};
  __enzyme_autodiff_void((void *)likelihood, enzyme_dup, slope, g, enzyme_const, x, enzyme_const, yes, enzyme_const, 6);
  int wrong = 0;
  for (int i = 0; i < 2; i++) {
    double e[2] = {i == 0, i == 1};
    double t = __enzyme_fwddiff((void *)likelihood, enzyme_dup, slope, e, enzyme_const, x, enzyme_const, yes, enzyme_const, 6);
    printf("%.13g %d\n", g[i], fabs(t - g[i]) < 1e-13 * fabs(t));
    wrong += !(fabs(t - g[i]) < 1e-13 * fabs(t));
  }
  return wrong;
}
