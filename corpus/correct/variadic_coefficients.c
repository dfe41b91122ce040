// Variadic functions with active named arguments; the variable ones are integers.
#include "adj.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* sum of k_i x^i for n integers k_i */
__attribute__((noinline)) static double polynomial(double x, int n, ...) {
  va_list rest;
  va_start(rest, n);
  double sum = 0, power = 1;
  for (int i = 0; i < n; i++) {
    sum += va_arg(rest, int) * power;
    power *= x;
  }
  va_end(rest);
  return sum;
}
__attribute__((noinline)) static void scale(double *values, int n, ...) {
  va_list rest;
  va_start(rest, n);
  long power = va_arg(rest, long);
  for (int i = 0; i < n; i++)
    for (long k = 1; k < power; k++)
      values[i] *= values[i];
  va_end(rest);
}
static double f(double *x, int n) {
  double sum = polynomial(x[0], 3, 2, -1, 4) + polynomial(sin(x[1]), 2, 5, 7);
  scale(x, n, 2L);
  for (int i = 0; i < n; i++)
    sum += polynomial(x[i], 8, 1, 2, 3, 4, 5, 6, 7, i);
  return sum;
}
int main(void) {
  double x[3] = {0.3, 0.7, 1.1}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
}
