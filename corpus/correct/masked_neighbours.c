// A land-sea mask of booleans decides at each cell, from its neighbours, which flux is used.
#include "adj.h"
#include <stdbool.h>
#include <stdio.h>

#define N 5

static void flow(double *h, const bool *wet, const double *depth, double dt, int steps) {
  for (int s = 0; s < steps; s++) {
    double flux[N + 1];
    flux[0] = flux[N] = 0.0;
    for (int i = 1; i < N; i++) {
      if (!wet[i] || !wet[i - 1])
        flux[i] = 0.0;
      else if (h[i - 1] > h[i])
        flux[i] = depth[i - 1] * (h[i - 1] - h[i]) * h[i - 1];
      else
        flux[i] = depth[i] * (h[i - 1] - h[i]) * h[i];
    }
    for (int i = 0; i < N; i++)
      if (wet[i])
        h[i] -= dt * (flux[i + 1] - flux[i]);
  }
}

int main(void) {
  const bool wet[N] = {true, true, true, false, true};
  double h[N] = {1.0, 0.7, 0.4, 0.0, 0.9}, dh[N] = {1.0, 0.0, 1.0, 0.0, 0.5};
  double depth[N] = {2.0, 1.5, 1.0, 0.0, 1.2}, ddepth[N] = {0};
  double ddt = __enzyme_autodiff((void *)flow, enzyme_dup, h, dh, enzyme_const, wet, enzyme_dup, depth, ddepth,
                                 enzyme_out, 0.1, enzyme_const, 5);
  printf("%.17g\n", ddt);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g %.17g\n", h[i], dh[i], ddepth[i]);
  return 0;
}
