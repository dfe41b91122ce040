// Variable arguments that are active: doubles that are read twice, and pointers to arrays.
#include "adj.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
/* the product of n doubles, each of which may also be looked at again */
__attribute__((noinline)) static double product(int n, ...) {
  va_list rest, again;
  va_start(rest, n);
  va_copy(again, rest);
  double p = 1, s = 0;
  for (int i = 0; i < n; i++) p *= va_arg(rest, double);
  for (int i = 0; i < n; i++) s += sin(va_arg(again, double));
  va_end(again);
  va_end(rest);
  return p + s;
}
__attribute__((noinline)) static double dot(int n, ...) {
  va_list rest;
  va_start(rest, n);
  const double *a = va_arg(rest, const double *);
  const double *b = va_arg(rest, const double *);
  double w = va_arg(rest, double);
  va_end(rest);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum * w;
}
static double f(double *x, int n) {
  return product(3, x[0], x[1] * x[1], x[2]) + dot(n, x, x, x[1]) + product(1, x[1]);
}
int main(void) {
  double x[3] = {0.3, 0.7, 1.1}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
}
