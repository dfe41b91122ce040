// Functions of the program's own that are called as functions of the library are.
#include "adj.h"
#include <stdio.h>

#define OWN static __attribute__((noinline)) double

OWN y1(double t) { return t * t * t; }
OWN j1(double t) { return 1 / (2 + t * t); }
OWN random(double seed) { return 3.25 * seed * seed; }
OWN scalb(double x, double by) { return x * by + by; }
OWN drem(double x, double y) { return x * x - 2 * y; }

// The factor of Lorentz, by Heron's square root.
OWN gamma(double beta) {
  double root = 1;
  for (int i = 0; i < 20; i++)
    root = 0.5 * (root + (1 - beta * beta) / root);
  return 1 / root;
}

OWN time(double *out, double v) {
  out[0] += 0.5 * v * v;
  return 4 * v;
}

OWN index(const double *row) { return row[0] * row[1]; }

static double f(const double *x) {
  double at[2] = {y1(x[0]) + random(x[1]), scalb(x[0], x[1])};
  double passed = time(at, x[2]);
  return index(at) + gamma(x[2]) * j1(at[0]) + drem(passed, x[1]);
}

int main(void) {
  const double x[3] = {0.7, -0.4, 0.6};
  double dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%.17g\n%.17g %.17g %.17g\n", f(x), dx[0], dx[1], dx[2]);
  return 0;
}
