// The differentiated function gets a function pointer from outside and hands it to an integrator.
#include "adj.h"
#include <math.h>
#include <stdio.h>

typedef double (*integrand)(double t, const double *p);

static double wave(double t, const double *p) { return p[0] * sin(p[1] * t); }
static double decay(double t, const double *p) { return p[0] * exp(-p[1] * t * t); }

static double simpson(integrand f, const double *p, double upper, int n) {
  double h = upper / (2 * n), sum = f(0.0, p) + f(upper, p);
  for (int i = 1; i < 2 * n; i++)
    sum += (i % 2 ? 4.0 : 2.0) * f(i * h, p);
  return sum * h / 3.0;
}

int main(void) {
  integrand list[2] = {wave, decay};
  for (int i = 0; i < 2; i++) {
    double p[2] = {1.3, 0.7}, dp[2] = {0};
    double du = __enzyme_autodiff((void *)simpson, enzyme_const, list[i], enzyme_dup, p, dp, enzyme_out, 2.0, enzyme_const, 6);
    printf("%.17g %.17g %.17g\n", dp[0], dp[1], du);
  }
  return 0;
}
