// The heat equation by Crank-Nicolson: a Thomas solve in each time step, all in place.
#include "adj.h"
#include <stdio.h>

#define N 8

static void thomas(const double *k, double r, double *u) {
  double c[N];
  double b = 1.0 + r * k[0];
  c[0] = -r * k[0] / b;
  u[0] /= b;
  for (int i = 1; i < N; i++) {
    double m = 1.0 + 2.0 * r * k[i] + r * k[i] * c[i - 1];
    c[i] = -r * k[i] / m;
    u[i] = (u[i] + r * k[i] * u[i - 1]) / m;
  }
  for (int i = N - 2; i >= 0; i--)
    u[i] -= c[i] * u[i + 1];
}

static void heat(double *u, const double *k, double r, int steps) {
  for (int s = 0; s < steps; s++) {
    double old[N];
    for (int i = 0; i < N; i++)
      old[i] = u[i];
    for (int i = 1; i + 1 < N; i++)
      u[i] += 0.5 * r * k[i] * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
    thomas(k, 0.5 * r, u);
  }
}

int main(void) {
  double u[N], du[N], k[N], dk[N] = {0};
  for (int i = 0; i < N; i++) {
    u[i] = i * (N - i) * 0.1;
    k[i] = 1.0 + 0.1 * i;
    du[i] = i == 3 ? 1.0 : 0.2;
  }
  double dr = __enzyme_autodiff((void *)heat, enzyme_dup, u, du, enzyme_dup, k, dk, enzyme_out, 0.4, enzyme_const, 9);
  printf("%.17g\n", dr);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g %.17g\n", u[i], du[i], dk[i]);
  return 0;
}
