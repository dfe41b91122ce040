// What is thrown holds an active number, which the handler uses, in a loop.
#include "adj.h"
#include <cmath>
#include <cstdio>

struct Bad {
  double value;
};

static double step(double x) {
  if (x > 2.0) throw Bad{x * x};
  return std::sin(x);
}

static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    try {
      s += step(x[i]);
    } catch (const Bad &b) {
      s += 0.5 * b.value * x[0];
    }
  }
  return s;
}

int main() {
  double x[4] = {1.0, 2.5, 0.5, 3.0}, dx[4] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx) std::printf("%.12g\n", d);
}
