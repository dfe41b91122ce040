// Function pointers in a table, in a variable that a loop changes, and as an argument; libm functions among them.
#include "adj.h"
#include <math.h>
#include <stdio.h>

typedef double (*unary)(double);

static double cube(double x) { return x * x * x; }
static double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

static unary const table[] = {cube, sin, logistic, tanh};

static double twice(unary f, double x) { return f(f(x)); }

static double chain(double x, int n) {
  unary current = cos;
  double y = x;
  for (int i = 0; i < n; i++) {
    y += 0.5 * current(y);
    current = table[(i * 3) % 4];
    if (i % 3 == 0)
      y = twice(current, y);
  }
  return y;
}

int main(void) {
  for (int n = 0; n < 9; n += 2) {
    double x = 0.3 + 0.05 * n;
    double dx = __enzyme_autodiff((void *)chain, enzyme_out, x, enzyme_const, n);
    printf("%.17g %.17g\n", chain(x, n), dx);
  }
  return 0;
}
