// A two-state Kalman filter: predict, update, and the log-likelihood of the innovations.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double kalman(const double *noise, const double *z, int n) {
  double x0 = 0.0, x1 = 1.0;
  double p00 = 1.0, p01 = 0.0, p11 = 1.0;
  double q = noise[0] * noise[0], r = noise[1] * noise[1];
  double likelihood = 0.0;
  const double dt = 0.1;
  for (int i = 0; i < n; i++) {
    x0 += dt * x1;
    p00 += dt * (2.0 * p01 + dt * p11) + 0.25 * q * dt * dt;
    p01 += dt * p11 + 0.5 * q * dt;
    p11 += q;
    double s = p00 + r;
    double innovation = z[i] - x0;
    double k0 = p00 / s, k1 = p01 / s;
    x0 += k0 * innovation;
    x1 += k1 * innovation;
    p11 -= k1 * p01;
    p01 *= 1.0 - k0;
    p00 *= 1.0 - k0;
    likelihood += innovation * innovation / s + log(s);
  }
  return 0.5 * likelihood;
}

int main(void) {
  double noise[2] = {0.4, 0.3}, dnoise[2] = {0}, z[15], dz[15] = {0};
  for (int i = 0; i < 15; i++)
    z[i] = 0.1 * i + 0.2 * sin(2.0 * i);
  printf("%.17g\n", kalman(noise, z, 15));
  __enzyme_autodiff((void *)kalman, enzyme_dup, noise, dnoise, enzyme_dup, z, dz, enzyme_const, 15);
  printf("%.17g %.17g\n", dnoise[0], dnoise[1]);
  for (int i = 0; i < 15; i++)
    printf("%.17g\n", dz[i]);
  return 0;
}
