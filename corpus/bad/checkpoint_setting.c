// A way of asking for checkpoints of which nothing public says what it means.
// adj-exit: 3
// adj-message: `__enzyme_set_checkpointing` is not implemented
#include "adj.h"

void __enzyme_set_checkpointing(int schedule, int budget);

static double halve(double x) {
  for (int i = 0; i < 4; i++)
    x *= 0.5 * x;
  return x;
}

int main(void) {
  __enzyme_set_checkpointing(1, 2);
  return __enzyme_autodiff((void *)halve, 2.0) < 0.0;
}
