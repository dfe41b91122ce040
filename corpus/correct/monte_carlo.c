// Monte Carlo pricing with a linear congruential generator: integers drive, floats are active.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(*state >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}

static double asian_option(const double *p, int paths, int steps) {
  double spot = p[0], rate = p[1], volatility = p[2], strike = p[3];
  uint64_t state = 42;
  double dt = 1.0 / steps, total = 0.0;
  for (int i = 0; i < paths; i++) {
    double s = spot, mean = 0.0;
    for (int k = 0; k < steps; k++) {
      double u = uniform(&state), v = uniform(&state);
      double normal = sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
      s *= exp((rate - 0.5 * volatility * volatility) * dt + volatility * sqrt(dt) * normal);
      mean += s / steps;
    }
    if (mean > strike)
      total += mean - strike;
  }
  return exp(-rate) * total / paths;
}

int main(void) {
  double p[4] = {100.0, 0.05, 0.3, 101.0}, dp[4] = {0};
  printf("%.15g\n", asian_option(p, 40, 6));
  __enzyme_autodiff((void *)asian_option, enzyme_dup, p, dp, enzyme_const, 40, enzyme_const, 6);
  for (int i = 0; i < 4; i++)
    printf("%.15g\n", dp[i]);
  return 0;
}
