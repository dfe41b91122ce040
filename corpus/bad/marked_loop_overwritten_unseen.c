// What an iteration reads is overwritten behind the loop by a function that is not looked into, so that nobody could undo it.
// adj-exit: 3
// adj-levels: O0,O1
// adj-message: `turn` may overwrite memory that a loop with checkpoints uses
#include "adj.h"

static double state[2];
static int order[2] = {0, 1};

__attribute__((noinline)) static void turn(void) {
  order[0] = !order[0];
  order[1] = !order[1];
}
void *__enzyme_inactivefn_turn[] = {(void *)turn};

static void sweep(double x, int steps) {
  for (int t = 0; t < steps; t++)
    state[order[t % 2]] += x * state[order[(t + 1) % 2]];
}
void *__enzyme_checkpoint_loop_sweep[] = {(void *)sweep, "revolve:2"};

static double run(double x) {
  state[0] = x;
  state[1] = 1.0;
  sweep(x, 7);
  turn();
  return state[0] * state[0];
}

int main(void) { return __enzyme_autodiff((void *)run, enzyme_out, 0.3) == 0.0; }
