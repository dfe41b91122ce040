// Loops with checkpoints in one another: each outer step relaxes a field by inner steps, and both use the parameter. Two loops with the
// same step, of which the second starts from the result of the first.
#define ADJ_CHECKPOINTS
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct field {
  double value[4], load;
};

static void relax(long i, void *state, const void *parameters) {
  const double *p = parameters;
  double *value = state;
  for (int k = 0; k < 4; k++)
    value[k] += 0.3 * (sin(value[(k + 1) % 4]) * p[0] - value[k] * p[1]) / (1.0 + i);
}

static void advance(long t, void *state, const void *parameters) {
  const double *p = parameters;
  struct field *f = state;
  double inner[2] = {p[0] * f->load, p[1]};
  __enzyme_checkpoint_for(relax, 0, 3 + t % 2, ADJ_REVOLVE, 2, f->value, sizeof f->value, inner, sizeof inner);
  f->load = 0.9 * f->load + 0.1 * f->value[t % 4] * p[0];
}

static double simulate(const double *p, double load) {
  struct field f = {{0.1, 0.2, -0.3, 0.4}, load};
  __enzyme_checkpoint_for(advance, 0, 5, ADJ_REVOLVE, 2, &f, sizeof f, p, 2 * sizeof *p);
  f.load *= f.load;
  __enzyme_checkpoint_for(advance, 5, 9, ADJ_PERIODIC, 2, &f, sizeof f, p, 2 * sizeof *p);
  return f.value[0] * f.value[1] + exp(f.load) + f.value[3];
}

int main(void) {
  double p[2] = {1.3, 0.7}, dp[2] = {0};
  double dload = __enzyme_autodiff((void *)simulate, enzyme_dup, p, dp, enzyme_out, 0.8);
  printf("%.12g %.12g %.12g\n", dp[0], dp[1], dload);
  return 0;
}
