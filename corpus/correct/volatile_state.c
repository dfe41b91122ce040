// Volatile floating-point memory: every access is made, and has its derivative.
#include "adj.h"

static double filtered(const double *x, int n, double a) {
  volatile double state = 0.0;
  double out = 0.0;
  for (int i = 0; i < n; i++) {
    state = a * state + (1.0 - a) * x[i];
    out += state * state;
  }
  return out;
}

static double by_register(volatile double *r, double step) {
  r[0] = r[0] * step;
  r[1] = r[0] + r[1] * r[1];
  return r[0] * r[1];
}

int main(void) {
  double x[4] = {1.0, -0.5, 2.0, 0.25}, dx[4] = {0};
  __enzyme_autodiff((void *)filtered, enzyme_dup, x, dx, enzyme_const, 4, 0.75);
  double r[2] = {1.5, -0.5}, dr[2] = {0};
  __enzyme_autodiff((void *)by_register, enzyme_dup, r, dr, 0.5);
  return dx[0] != 0.0 && dr[0] != 0.0 ? 0 : 1;
}
