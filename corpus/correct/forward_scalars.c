// Forward mode of scalars: tangents behind the arguments, constants without, with and without markers.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double wave(double x, double t, int n) {
  double sum = 0.0;
  for (int k = 1; k <= n; k++)
    sum += sin(k * x) * exp(-t * k) / k;
  return sum;
}

static double kepler(double mean, double eccentricity) {
  double e = mean;
  for (int i = 0; i < 50; i++) {
    double step = (e - eccentricity * sin(e) - mean) / (1.0 - eccentricity * cos(e));
    e -= step;
    if (fabs(step) < 1e-9)
      break;
  }
  return e;
}

int main(void) {
  double d = __enzyme_fwddiff((void *)wave, 0.7, 1.0, 0.2, -0.5, 12);
  printf("%.17g\n", d);
  d = __enzyme_fwddiff((void *)wave, enzyme_dup, 0.7, 1.0, enzyme_const, 0.2, enzyme_const, 12);
  printf("%.17g\n", d);
  d = __enzyme_fwddiff((void *)kepler, enzyme_const, 1.1, enzyme_dup, 0.3, 1.0);
  printf("%.17g\n", d);
  d = __enzyme_fwddiff((void *)kepler, 1.1, 0.25, 0.3, -2.0);
  printf("%.17g\n", d);
  return 0;
}
