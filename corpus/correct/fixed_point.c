// A coupled fixed-point iteration on a structure of state, run until both unknowns stand still.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct state {
  double pressure, flow;
};

static double settle(const double *p, int *trips) {
  struct state now = {1.0, 0.0}, next;
  *trips = 0;
  while (1) {
    next.pressure = p[0] / (1.0 + now.flow * now.flow);
    next.flow = 0.5 * sqrt(next.pressure) + p[1] * now.flow;
    double change = fabs(next.pressure - now.pressure) + fabs(next.flow - now.flow);
    now = next;
    ++*trips;
    if (change < 1e-7 || *trips >= 200)
      break;
  }
  return now.pressure * now.flow;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    double p[2] = {0.8 + 0.3 * i, 0.2}, dp[2] = {0};
    int trips = 0;
    printf("%.17g", settle(p, &trips));
    printf(" %d\n", trips);
    __enzyme_autodiff((void *)settle, enzyme_dup, p, dp, enzyme_const, &trips);
    printf("%.17g %.17g\n", dp[0], dp[1]);
  }
  return 0;
}
