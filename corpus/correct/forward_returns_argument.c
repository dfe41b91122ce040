// Forward mode of functions that give back one of their arguments, a part of one, or the larger of two: the call returns the shadow of
// it, never the argument.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <stdio.h>

double *__enzyme_fwddiff_pointer(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double *scaled(double *x, double by, int n) {
  for (int i = 0; i < n; i++)
    x[i] *= by;
  return x;
}

static double *peak(double *x, int n) {
  double *best = x;
  for (int i = 1; i < n; i++)
    if (x[i] > *best)
      best = x + i;
  return best;
}

static double *either(double *x, double *y, int n) { return *peak(x, n) > *peak(y, n) ? peak(x, n) : peak(y, n); }

static double chained(double *x, double *y, int n) {
  double *p = either(scaled(x, 2.0, n), y, n);
  *p = *p * *p;
  return p[0] + x[0] * y[0];
}

int main(void) {
  double x[3] = {0.5, 1.5, -1.0}, dx[3] = {1.0, 0.5, 0.0}, y[3] = {0.2, 2.5, 2.0}, dy[3] = {0.0, -1.0, 3.0};
  double *a = __enzyme_fwddiff_pointer((void *)scaled, enzyme_dup, x, dx, enzyme_dup, 3.0, 1.0, enzyme_const, 3);
  double *b = __enzyme_fwddiff_pointer((void *)peak, enzyme_dup, x, dx, enzyme_const, 3);
  double *c = __enzyme_fwddiff_pointer((void *)either, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
  double t = __enzyme_fwddiff((void *)chained, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
  printf("%d %d %d\n", a == dx, b == dx + 1, c == dx + 1);
  printf("%.15g %.15g %.15g %.15g\n", dx[0], dx[1], dx[2], t);
  return !(a == dx && b == dx + 1 && c == dx + 1);
}
