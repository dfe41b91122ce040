// Absolute values that are compared and no more, in the search for a pivot: no kink of the function.
#include "adj.h"
#include <math.h>
static double f(const double *x) {
  int p = 0;
  if (fabs(x[1]) > fabs(x[0]))
    p = 1;
  return x[0] * x[1] + x[p] * x[p];
}
int main(void) {
  double x[2] = {0, 2}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  return d[0] == 2 && d[1] == 4 ? 0 : 1;
}
