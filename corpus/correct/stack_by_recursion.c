// alloca in a function that calls itself: merging halves through a buffer on each frame.
#include "adj.h"

static void scan(double *x, int n) {
  if (n <= 1) {
    if (n == 1) x[0] = x[0] * x[0] + 0.25 * x[0];
    return;
  }
  int half = n / 2;
  double *copy = __builtin_alloca((unsigned long)n * sizeof *copy);
  for (int i = 0; i < n; i++) copy[i] = x[i];
  scan(copy, half);
  scan(copy + half, n - half);
  for (int i = 0; i < n; i++) x[i] = copy[i] * (i < half ? 1.0 : copy[half - 1]);
}

static double total(double *x, int n) {
  scan(x, n);
  double s = 0.0;
  for (int i = 0; i < n; i++) s += x[i] / (i + 1);
  return s;
}

int main(void) {
  double x[7] = {0.5, -1.0, 1.5, 0.75, 2.0, -0.25, 1.25}, dx[7] = {0};
  __enzyme_autodiff((void *)total, enzyme_dup, x, dx, enzyme_const, 7);
  return dx[0] != 0.0 ? 0 : 1;
}
