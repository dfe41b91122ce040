// A step that reads a variable which the program changes later: there is no copy of it from which the step could be executed again.
// adj-exit: 3
// adj-message: executed again, on copies of its state and its parameters
#define ADJ_CHECKPOINTS
#include "adj.h"

static double rate = 0.5;

static void decay(long i, void *state, const void *parameters) {
  (void)i, (void)parameters;
  *(double *)state *= 1.0 - rate; // here
}

static double decayed(double x) {
  __enzyme_checkpoint_for(decay, 0, 5, ADJ_REVOLVE, 2, &x, sizeof x, 0, 0);
  rate = 0.25;
  return x;
}

int main(void) { return __enzyme_autodiff((void *)decayed, 2.0) < 0.0; }
