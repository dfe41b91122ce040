// adj-flags: -g0
// A state is reset from a fresh block of zeros: nothing but the block's copy tells what lies there, and without debug information
// nothing says that it is numbers.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double reset(double *state, double *scratch, const double *rate) {
  double *zeros = calloc(1, sizeof(double));
  if (!zeros) abort();
  memcpy(state, zeros, sizeof(double));
  memcpy(scratch + 1, zeros, sizeof(double));
  free(zeros);
  return rate[0] * rate[1];
}

int main(void) {
  double state[2] = {-0.4, 1.02}, dstate[2] = {0.7, -0.3};
  double scratch[2] = {0.25, 3.5}, dscratch[2] = {1.1, 0.9};
  double rate[2] = {0.8, 1.5}, drate[2] = {0};
  __enzyme_autodiff((void *)reset, enzyme_dup, state, dstate, enzyme_dup, scratch, dscratch, enzyme_dup, rate, drate);
  for (int i = 0; i < 2; i++) printf("%g %g %g %g\n", state[i], dstate[i], dscratch[i], drate[i]);
  return 0;
}
