// A mark on a line on which no loop begins.
// adj-exit: 3
// adj-message: means no loop that is still there: loops of `power` begin on lines 7
#include "adj.h"

static double power(double x, int n) {
  for (int i = 0; i < n; i++)
    x *= 1.0 + 0.1 * x;
  return x;
}

void *__enzyme_checkpoint_loop_power[] = {(void *)power, "8", "revolve:3"};

int main(void) { return __enzyme_autodiff((void *)power, enzyme_out, 0.5, enzyme_const, 10) == 0.0; }
