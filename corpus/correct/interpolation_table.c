// Look-up in a uniform active table with linear and cubic (Catmull-Rom) interpolation.
#include "adj.h"
#include <stdio.h>

#define SIZE 8

static double linear(const double *table, double x) {
  double position = x * (SIZE - 1);
  int i = (int)position;
  double f = position - i;
  return table[i] * (1.0 - f) + table[i + 1] * f;
}

static double cubic(const double *table, double x) {
  double position = x * (SIZE - 1);
  int i = (int)position;
  double f = position - i;
  double p0 = table[i > 0 ? i - 1 : 0], p1 = table[i], p2 = table[i + 1];
  double p3 = table[i + 2 < SIZE ? i + 2 : SIZE - 1];
  return p1 + 0.5 * f * (p2 - p0 + f * (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3 + f * (3.0 * (p1 - p2) + p3 - p0)));
}

static double chain(const double *table, double x) {
  double y = linear(table, x);
  return cubic(table, y) * y + linear(table, 0.5 * y);
}

int main(void) {
  double t[SIZE] = {0.1, 0.35, 0.6, 0.42, 0.8, 0.55, 0.3, 0.9}, dt[SIZE] = {0};
  for (int k = 0; k < 4; k++) {
    double x = 0.04 + 0.29 * k;
    printf("%.17g\n", chain(t, x));
    printf("%.17g\n", __enzyme_autodiff((void *)chain, enzyme_dup, t, dt, enzyme_out, x));
  }
  for (int i = 0; i < SIZE; i++)
    printf("%.17g\n", dt[i]);
  return 0;
}
