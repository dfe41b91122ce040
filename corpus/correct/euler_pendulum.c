// A damped pendulum by explicit Euler steps; the state array is overwritten in place each step.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double pendulum(const double *parameters, int steps) {
  double length = parameters[0], damping = parameters[1];
  double state[2] = {parameters[2], 0.0};
  double h = 0.02;
  for (int i = 0; i < steps; i++) {
    double angle = state[0], speed = state[1];
    state[0] = angle + h * speed;
    state[1] = speed - h * (9.81 / length * sin(angle) + damping * speed);
  }
  return state[0] * state[0] + 0.1 * state[1] * state[1];
}

int main(void) {
  double p[3] = {1.3, 0.2, 0.9}, dp[3] = {0.0, 0.0, 0.0};
  printf("%.17g\n", pendulum(p, 60));
  __enzyme_autodiff((void *)pendulum, enzyme_dup, p, dp, enzyme_const, 60);
  printf("%.17g\n%.17g\n%.17g\n", dp[0], dp[1], dp[2]);
  return 0;
}
