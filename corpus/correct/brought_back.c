// Memory that is saved as bytes, used for other numbers, and restored: a cell holds on exit what it held on entry, though others were stored
// there meanwhile, and its adjoint is that of the number on entry.
#include "adj.h"
#include <string.h>

enum { N = 3 };

// A state is saved beside the work space, which is scratch memory until it gets the state back.
static double scratch(double *state, double *saved, double weight) {
  memmove(saved, state, N * sizeof *state);
  state[1] = weight * weight;
  double used = state[1];
  memmove(state, saved, N * sizeof *state);
  saved[1] = weight;
  return used;
}

int main(void) {
  double state[N] = {0.5, -0.75, 2.0}, dstate[N] = {0.25, 1.5, -1.0};
  double saved[N] = {0.0, 0.0, 0.0}, dsaved[N] = {0.0, 4.0, 8.0};
  double d = __enzyme_autodiff((void *)scratch, enzyme_dup, state, dstate, enzyme_dup, saved, dsaved, enzyme_out, 3.0);
  // The weight is on exit in saved[1], and its square is returned.
  return d == 4.0 + 6.0 && dstate[0] == 0.25 && dstate[1] == 1.5 && dstate[2] == 7.0 && dsaved[1] == 0.0 ? 0 : 1;
}
