// A state with a pointer in it: a copy of the state would not be a copy of what lies behind the pointer.
// adj-exit: 3
// adj-message: there are pointers in this memory
#define ADJ_CHECKPOINTS
#include "adj.h"

struct body {
  double position, *speed;
};

static void move(long i, void *state, const void *parameters) {
  struct body *b = state;
  (void)i, (void)parameters;
  b->position += *b->speed * b->position;
}

static double moved(double x) {
  double v = 0.5;
  struct body b = {x, &v};
  __enzyme_checkpoint_for(move, 0, 4, ADJ_REVOLVE, 2, &b, sizeof b, 0, 0);
  return b.position;
}

int main(void) { return __enzyme_autodiff((void *)moved, 2.0) < 0.0; }
