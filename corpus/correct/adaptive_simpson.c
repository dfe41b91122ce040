// Adaptive Simpson quadrature by recursion; the depth depends on the data.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double integrand(const double *p, double x) {
  return exp(-p[0] * x * x) * cos(p[1] * x) + p[2] / (1.0 + 25.0 * x * x);
}

static double refine(const double *p, double a, double fa, double b, double fb, double m, double fm,
                     double whole, double tolerance, int depth) {
  double lm = 0.5 * (a + m), rm = 0.5 * (m + b);
  double fl = integrand(p, lm), fr = integrand(p, rm);
  double left = (m - a) / 6.0 * (fa + 4.0 * fl + fm), right = (b - m) / 6.0 * (fm + 4.0 * fr + fb);
  double delta = left + right - whole;
  if (depth <= 0 || fabs(delta) <= 15.0 * tolerance)
    return left + right + delta / 15.0;
  return refine(p, a, fa, m, fm, lm, fl, left, 0.5 * tolerance, depth - 1) +
         refine(p, m, fm, b, fb, rm, fr, right, 0.5 * tolerance, depth - 1);
}

static double integrate(const double *p, double a, double b) {
  double m = 0.5 * (a + b);
  double fa = integrand(p, a), fm = integrand(p, m), fb = integrand(p, b);
  return refine(p, a, fa, b, fb, m, fm, (b - a) / 6.0 * (fa + 4.0 * fm + fb), 1e-5, 10);
}

int main(void) {
  double p[3] = {0.8, 3.0, 0.5}, dp[3] = {0};
  printf("%.17g\n", integrate(p, -1.0, 1.5));
  double db = __enzyme_autodiff((void *)integrate, enzyme_dup, p, dp, enzyme_const, -1.0, enzyme_out, 1.5);
  printf("%.17g %.17g %.17g %.17g\n", dp[0], dp[1], dp[2], db);
  return 0;
}
