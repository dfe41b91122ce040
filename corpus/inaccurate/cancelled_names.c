// Two names for one cell: the reverse of their difference adds a weight to the cell's shadow and takes it off again, and the last
// digits of the small adjoint that lay there go with it. Every reverse sweep of the program does that, so the report says how large the
// terms are that cancel.
#include "adj.h"
#include <stdio.h>

static void relax(double *state) {
  double *to = state;
  const double *from = state;
  for (int step = 0; step < 6; step++) {
    state[1] = 0.2 * ((to[0] - from[0]) - state[1]); //~ [O0] inaccurate
    to[0] = 1e-4 * to[0] * (to[0] + 0.5);
  }
}

int main(void) {
  double state[2] = {0.4, -0.3}, shadow[2] = {-0.3, 1.0};
  __enzyme_autodiff((void *)relax, enzyme_dup, state, shadow); //~ [O1,O2,O3] inaccurate
  printf("%.10g %.10g\n", state[0], state[1]);
  return 0;
}
