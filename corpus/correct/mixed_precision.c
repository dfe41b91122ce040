// Floats and doubles mixed: products in single precision, sums in double, integers converted.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double refine(const float *a, const double *b, const int *scale, int n) {
  double sum = 0.0;
  float small = 1.0f;
  for (int i = 0; i < n; i++) {
    float product = a[i] * (float)b[i];
    small = small * 0.5f + product;
    sum += (double)small * b[i] * scale[i];
    sum += (double)sqrtf(a[i] * a[i] + 1.0f);
  }
  return sum / (double)small;
}

int main(void) {
  float a[5] = {0.5f, 1.25f, -0.75f, 2.0f, 0.1f}, da[5] = {0};
  double b[5] = {1.1, -0.4, 0.9, 0.3, 2.2}, db[5] = {0};
  const int scale[5] = {3, -1, 4, 1, -5};
  printf("%.17g\n", refine(a, b, scale, 5));
  __enzyme_autodiff((void *)refine, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, scale, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.9g %.17g\n", da[i], db[i]);
  return 0;
}
