// Forward mode of arrays put one behind the other by a function that is called for constant and for active ones: what comes from a
// constant array has the tangent zero, not the array's own values.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);

static void concatenate(double *to, const double *a, int m, const double *b, int n) {
  memcpy(to, a, m * sizeof *to);
  memcpy(to + m, b, n * sizeof *to);
  for (int i = 0; i < m + n; i++)
    to[i] *= 0.5;
}

static double joined(const double *a, int m, const double *b, int n) {
  double *v = malloc((m + n) * sizeof *v), sum = 0.0;
  concatenate(v, a, m, b, n);
  for (int i = 0; i + 1 < m + n; i++)
    sum += v[i] * sin(v[i + 1]);
  free(v);
  return sum;
}

int main(void) {
  double a[3] = {0.5, -1.0, 2.0}, da[3] = {1.0, 0.5, -0.25}, b[2] = {7.0, 0.3}, db[2] = {-1.0, 2.0};
  double v[5], dv[5] = {9.0, 9.0, 9.0, 9.0, 9.0};
  double whole = __enzyme_fwddiff((void *)joined, enzyme_dup, a, da, enzyme_const, 3, enzyme_dup, b, db, enzyme_const, 2);
  double first = __enzyme_fwddiff((void *)joined, enzyme_dup, a, da, enzyme_const, 3, enzyme_const, b, enzyme_const, 2);
  double second = __enzyme_fwddiff((void *)joined, enzyme_const, a, enzyme_const, 3, enzyme_dup, b, db, enzyme_const, 2);
  __enzyme_fwddiff_void((void *)concatenate, enzyme_dup, v, dv, enzyme_dup, a, da, enzyme_const, 3, enzyme_const, b, enzyme_const, 2);
  printf("%.15g %.15g %.15g\n", whole, first, second);
  printf("%g %g %g %g %g\n", dv[0], dv[1], dv[2], dv[3], dv[4]);
  return fabs(whole - first - second) > 1e-12 || dv[3] != 0.0 || dv[4] != 0.0;
}
