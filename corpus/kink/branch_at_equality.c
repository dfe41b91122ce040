// A piecewise function evaluated exactly where its pieces meet with different slopes.
#include "adj.h"
#include <stdio.h>

static double tariff(double use) {
  if (use < 1.0) //~ kink
    return 2.0 * use;
  return 2.0 + 5.0 * (use - 1.0);
}

int main(void) {
  const double use[3] = {0.5, 1.0, 1.5};
  for (int i = 0; i < 3; i++) {
    double d = __enzyme_autodiff((void *)tariff, use[i]);
    if (i != 1)
      printf("%.17g %.17g\n", tariff(use[i]), d);
  }
  return 0;
}
