// The absolute value of a difference that is zero whatever the inputs are, on the diagonal of a kernel: no kink of the
// function.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static __attribute__((noinline)) double kernel(double a, double b) {
  double r = fabs(a - b);
  return (1 + r) * exp(-r);
}

static double f(const double *x) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum += x[i] * kernel(x[i], x[j]) * x[j];
  return sum;
}

int main(void) {
  double x[3] = {5, 4, -0.5}, d[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  for (int i = 0; i < 3; i++)
    printf("%.12g\n", d[i]);
  return 0;
}
