// fmin, fmax, fabs, ternaries and a hand-written clamp, away from their ties.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double clamp(double x, double lo, double hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

static double hinge(const double *w, const double *x, int n) {
  double loss = 0.0;
  for (int i = 0; i < n; i++) {
    double margin = 1.0 - w[i] * x[i];
    loss += fmax(0.0, margin) + 0.1 * fabs(w[i]);
    loss += fmin(w[i], x[i]) * clamp(x[i], -0.5, w[i] + 2.0);
  }
  return loss;
}

int main(void) {
  double w[5] = {0.3, -0.8, 1.7, 0.9, -0.1}, dw[5] = {0};
  double x[5] = {1.1, 0.4, 0.9, -2.0, 3.5}, dx[5] = {0};
  printf("%.17g\n", hinge(w, x, 5));
  __enzyme_autodiff((void *)hinge, enzyme_dup, w, dw, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g %.17g\n", dw[i], dx[i]);
  return 0;
}
