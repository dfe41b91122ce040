// hypot at the origin: every direction has slope 1, and no gradient exists.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double distance(const double *a, const double *b) {
  return hypot(a[0] - b[0], a[1] - b[1]); //~ convention
}

int main(void) {
  double a[2] = {1.5, -0.5}, da[2] = {0}, b[2] = {1.5, -0.5}, db[2] = {0};
  printf("%.17g\n", distance(a, b));
  __enzyme_autodiff((void *)distance, enzyme_dup, a, da, enzyme_dup, b, db);
  printf("%.17g\n", da[0] + db[0]);
  return 0;
}
