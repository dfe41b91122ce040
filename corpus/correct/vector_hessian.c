// The gradient of a gradient that works on vectors of 32 bytes: shadows are made on the heap, where blocks are aligned to 16.
#include "adj.h"
#include <stdio.h>

typedef double four __attribute__((vector_size(32)));

struct pair {
  double first, second;
};

static double mixed(const double *a) {
  double scale = -1.001;
  struct pair kept = {-0.1599, 0.1415};
  {
    four x = {a[0], kept.first, 0.5, -0.25}, y = x;
    for (int c = 0; c < 2; c++)
      y = 0.15 * x * y + 0.3 * y;
    kept.first = 0.15 * (y[0] + y[1] - y[3]);
  }
  scale = a[0];
  return scale * kept.first;
}

static double energy(const double *a) { return mixed(a) + a[1] * mixed(a + 1); }

static void gradient(const double *a, double *g) { __enzyme_autodiff((void *)energy, enzyme_dup, a, g); }

int main(void) {
  double a[2] = {-0.353, 1.2};
  for (int column = 0; column < 2; column++) {
    double row[2] = {0}, g[2] = {0}, seed[2] = {0};
    seed[column] = 1.0;
    __enzyme_autodiff((void *)gradient, enzyme_dup, a, row, enzyme_dup, g, seed);
    printf("%.15g %.15g\n", row[0], row[1]);
  }
  return 0;
}
