// Extended precision: x87 arithmetic, libm with the l suffix, conversion to and from double.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

long double __enzyme_autodiff_ld(void *, long double);
double __enzyme_autodiff_d(void *, double);

static long double series(long double x) {
  long double term = 1.0L, sum = 1.0L;
  for (int k = 1; k < 20; k++) {
    term *= x / k;
    sum += term;
  }
  return sum * cosl(x) - sqrtl(1.0L + x * x);
}

static double through(double x) {
  long double wide = x;
  wide = wide * wide + 0.25L * wide;
  return (double)(wide * x);
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    long double x = 0.3L + 0.5L * i;
    printf("%.20Lg %.20Lg\n", series(x), __enzyme_autodiff_ld((void *)series, x));
    printf("%.17g %.17g\n", through(1.0 + i), __enzyme_autodiff_d((void *)through, 1.0 + i));
  }
  return 0;
}
