// Globals that hold active values between functions: a state that is updated, tables of coefficients, and a pointer to the current one.
#include "adj.h"

static double state[2];
static double coefficients[2][3] = {{0.5, -0.25, 1.0}, {0.75, 0.125, -0.5}};
static const double *current;

static void choose(int k) { current = coefficients[k & 1]; }

static void step(double u) {
  double a = state[0], b = state[1];
  state[0] = current[0] * a + current[1] * b * b + u;
  state[1] = current[2] * a * b + 0.1 * u;
}

static double run(const double *u, int n) {
  state[0] = 1.0;
  state[1] = u[0];
  for (int i = 0; i < n; i++) {
    choose(i);
    step(u[i]);
  }
  return state[0] * state[0] + state[1];
}

int main(void) {
  double u[4] = {0.5, -0.25, 1.0, 0.75}, du[4] = {0};
  __enzyme_autodiff((void *)run, enzyme_dup, u, du, enzyme_const, 4);
  return du[0] != 0.0 ? 0 : 1;
}
