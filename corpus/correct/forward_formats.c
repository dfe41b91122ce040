// Forward mode in float and long double, and across conversions between them.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

float __enzyme_fwddiff_float(void *, float, float, float, float);
long double __enzyme_fwddiff_long(void *, ...);
double __enzyme_fwddiff(void *, ...);

static float decay(float x, float rate) {
  float y = x;
  for (int i = 0; i < 6; i++)
    y -= rate * y * expf(-y * 0.5f);
  return y * cosf(x);
}

static long double series(long double x) {
  long double sum = 0.0L, term = 1.0L;
  for (int i = 1; i < 25; i++) {
    sum += term;
    term *= x / i;
  }
  return sum * sqrtl(x);
}

static double through(double x) {
  float narrow = (float)(x * 1.25);
  long double wide = (long double)narrow * x;
  return (double)(wide / 3.0L) + narrow;
}

int main(void) {
  printf("%.9g\n", __enzyme_fwddiff_float((void *)decay, 1.5f, 1.0f, 0.25f, -2.0f));
  printf("%.17Lg\n", __enzyme_fwddiff_long((void *)series, 0.75L, 1.0L));
  printf("%.17g\n", __enzyme_fwddiff((void *)through, 0.7, 1.0));
  return 0;
}
