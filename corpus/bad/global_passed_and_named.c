// A global variable that is passed with a shadow, and used by name as well.
// adj-exit: 3
// adj-message: is passed with a shadow, and numbers of it are also used by name
#include "adj.h"

double state[2] = {1.5, 2.5};

static double energy(const double *x) { return x[0] * state[1]; }

int main(void) {
  double shadow[2] = {0};
  __enzyme_autodiff((void *)energy, enzyme_dup, state, shadow);
  return 0;
}
