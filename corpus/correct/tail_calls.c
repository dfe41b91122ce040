// Functions that end in calls of one another: a loop written as tail calls.
#include "adj.h"

static double odd(const double *x, int n, double sum);

static double even(const double *x, int n, double sum) {
  if (n == 0) return sum;
  return odd(x + 1, n - 1, sum + x[0] * x[0]);
}

static double odd(const double *x, int n, double sum) {
  if (n == 0) return -sum;
  return even(x + 1, n - 1, sum * (1.0 + 0.25 * x[0]));
}

static double newton(double x, double target, int left) {
  if (left == 0) return x;
  return newton(x - (x * x * x - target) / (3.0 * x * x), target, left - 1);
}

static double both(const double *x, int n) { return even(x, n, 0.5) + newton(x[0], x[1] * x[1], 5); }

int main(void) {
  double x[5] = {1.5, 2.0, -0.5, 0.75, 1.25}, dx[5] = {0};
  __enzyme_autodiff((void *)both, enzyme_dup, x, dx, enzyme_const, 5);
  return dx[0] != 0.0 ? 0 : 1;
}
