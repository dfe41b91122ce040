// An output array whose shadow is consumed and zeroed, an aliasing-free in-place part, and a shadow
// that is not zero on entry.
#include "adj.h"
#include <stdio.h>

static void layer(const double *x, double *y, double *state, int n) {
  for (int i = 0; i < n; i++) {
    state[i] = state[i] * x[i];
    y[i] = state[i] * state[i] + x[i];
  }
}

static void dlayer(const double *x, double *dx, double *y, double *dy, double *state, double *dstate, int n) {
  for (int i = 0; i < n; i++) {
    double old = state[i];
    state[i] = old * x[i];
    y[i] = state[i] * state[i] + x[i];
    double d = dstate[i] + 2.0 * state[i] * dy[i];
    dx[i] += dy[i] + d * old;
    dy[i] = 0.0;
    dstate[i] = d * x[i];
  }
}

int main(void) {
  double x[3] = {0.5, -1.5, 2.0}, dx[3] = {1.0, 0.0, -1.0}, y[3] = {0}, dy[3] = {1.0, 2.0, -0.5};
  double s[3] = {1.0, 0.3, -0.7}, ds[3] = {0.25, 0.0, 1.0};
  __adj_check_gradient((void *)layer, (void *)dlayer, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, s, ds,
                       enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    printf("%.17g %.17g %.17g %.17g\n", y[i], dx[i], dy[i], ds[i]);
  return 0;
}
