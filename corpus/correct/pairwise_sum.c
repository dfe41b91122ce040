// Sums by halves: short runs in a loop of four, longer ones by recursion. Every term counts once.
#include "adj.h"
#include <stdio.h>

static double sum(const double *x, int n) {
  if (n <= 8) {
    double s = n > 0 ? x[0] : 0.0;
    int i = 1;
    for (; i + 4 <= n; i += 4)
      s += x[i] + x[i + 1] + x[i + 2] + x[i + 3];
    for (; i < n; i++)
      s += x[i];
    return s;
  }
  int half = n / 2;
  return sum(x, half) + sum(x + half, n - half);
}

static double mean_square(const double *x, int n) {
  double squares[40];
  for (int i = 0; i < n; i++)
    squares[i] = x[i] * x[i];
  return sum(squares, n) / n;
}

int main(void) {
  double x[40], dx[40];
  int wrong = 0;
  for (int n = 0; n <= 40; n = 2 * n + 1) {
    for (int i = 0; i < 40; i++) {
      x[i] = 0.1 * i - 1.0;
      dx[i] = 0.0;
    }
    __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, n);
    for (int i = 0; i < 40; i++)
      wrong += dx[i] != (i < n ? 1.0 : 0.0);
    if (n > 0)
      __enzyme_autodiff((void *)mean_square, enzyme_dup, x, dx, enzyme_const, n);
    printf("%d %.15g\n", wrong, dx[0]);
  }
  return wrong;
}
