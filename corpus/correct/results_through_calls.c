// Results that pass through a chain of calls, by value and by pointer, in a loop: what an inner function computes is needed by the
// reverse of an outer one, also where the value itself is not used.
#include "adj.h"
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double inner(const double *x, double *left, int i) {
  left[i] = exp(-x[i] * x[i]);
  return left[i] * x[i];
}

__attribute__((noinline)) static double middle(const double *x, double *left, int i) {
  double r = inner(x, left, i);
  left[i] += r * r;
  return i > 0 ? r + inner(x, left, i - 1) : r;
}

__attribute__((noinline)) static int outer(const double *x, double *left, double *result, int n) {
  int used = 0;
  for (int i = 0; i < n; i++) {
    double r = middle(x, left, i);
    if (r > 0.0) {
      *result += r * left[i];
      used++;
    } else {
      middle(x, left, i);
      left[i] *= r;
    }
  }
  return used;
}

static double total(const double *x, double *left, int n) {
  double result = 1.0;
  int used = outer(x, left, &result, n);
  for (int i = 0; i < n; i++)
    result *= 1.0 + 0.1 * left[i] * used;
  return result;
}

int main(void) {
  double x[6] = {0.5, -0.8, 1.1, 0.2, -0.3, 0.9}, dx[6] = {0}, left[6] = {0}, dleft[6] = {0};
  __enzyme_autodiff((void *)total, enzyme_dup, x, dx, enzyme_dup, left, dleft, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.15g\n", dx[i]);
  return 0;
}
