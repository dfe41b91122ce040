// The absolute value of a difference that is zero whatever the input is: no kink of the function.
#include "adj.h"
#include <math.h>
__attribute__((noinline)) static double k(double a, double b) {
  double r = fabs(a - b);
  return exp(-r);
}
static double f(const double *x) { return k(x[0], x[0]) * x[0] * x[0]; }
int main(void) {
  double x[1] = {5}, d[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  return d[0] == 10 ? 0 : 1;
}
