// Forward mode of sweeps over an array that overwrite what they read, and of an array that is sorted in place.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void smooth(double *u, int n, int sweeps) {
  for (int s = 0; s < sweeps; s++)
    for (int i = 1; i < n - 1; i++)
      u[i] = 0.25 * (u[i - 1] + 2.0 * u[i] * u[i] + u[i + 1]);
}

static void sort(double *u, int n) {
  for (int i = 1; i < n; i++) {
    double v = u[i];
    int j = i - 1;
    while (j >= 0 && u[j] > v) {
      u[j + 1] = u[j];
      j--;
    }
    u[j + 1] = v;
  }
}

static double median(double *u, int n, int sweeps) {
  smooth(u, n, sweeps);
  sort(u, n);
  u[0] = 7.0;
  return exp(u[n / 2]) * u[n - 1];
}

int main(void) {
  double u[7] = {0.9, 0.2, 0.7, 0.1, 0.6, 0.4, 0.8};
  double du[7] = {1.0, -1.0, 0.5, 2.0, 0.0, -0.5, 0.25};
  printf("%.17g\n", __enzyme_fwddiff((void *)median, enzyme_dup, u, du, enzyme_const, 7, enzyme_const, 3));
  for (int i = 0; i < 7; i++)
    printf("%.17g %.17g\n", u[i], du[i]);
  return 0;
}
