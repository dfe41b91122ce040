/* The slope of lgamma where it is small: near -1.5735 and -0.5041, where the digamma function is zero and the two terms of its reflection
 * formula cancel. A rounded pi would show in the answer's last digits. */
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double near(const double *x) {
  double sum = 0.0;
  for (int i = 0; i < 4; i++)
    sum += lgamma(x[i]);
  return sum;
}

int main(void) {
  double x[4] = {-1.57349, -1.5732, -0.504083, -2.6107208}, dx[4] = {0.0};
  __enzyme_autodiff((void *)near, enzyme_dup, x, dx);
  for (int i = 0; i < 4; i++)
    printf("%d\n", fabs(dx[i]) < 0.01);
  return 0;
}
