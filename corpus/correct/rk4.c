// Classical Runge-Kutta steps of Lotka-Volterra; the stage arrays are reused in every step.
#include "adj.h"
#include <stdio.h>

static void rate(const double *y, const double *p, double *out) {
  out[0] = p[0] * y[0] - p[1] * y[0] * y[1];
  out[1] = p[2] * y[0] * y[1] - p[3] * y[1];
}

static void integrate(double *y, const double *p, double h, int steps) {
  double k1[2], k2[2], k3[2], k4[2], t[2];
  for (int s = 0; s < steps; s++) {
    rate(y, p, k1);
    for (int i = 0; i < 2; i++)
      t[i] = y[i] + 0.5 * h * k1[i];
    rate(t, p, k2);
    for (int i = 0; i < 2; i++)
      t[i] = y[i] + 0.5 * h * k2[i];
    rate(t, p, k3);
    for (int i = 0; i < 2; i++)
      t[i] = y[i] + h * k3[i];
    rate(t, p, k4);
    for (int i = 0; i < 2; i++)
      y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
}

int main(void) {
  double y[2] = {1.0, 0.5}, dy[2] = {1.0, -1.0};
  double p[4] = {1.1, 0.4, 0.3, 0.8}, dp[4] = {0};
  double dh = __enzyme_autodiff((void *)integrate, enzyme_dup, y, dy, enzyme_dup, p, dp, enzyme_out, 0.05,
                                enzyme_const, 40);
  printf("%.17g %.17g\n%.17g %.17g\n", y[0], y[1], dy[0], dy[1]);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", dp[i]);
  printf("%.17g\n", dh);
  return 0;
}
