// A function that is declared inactive gets a structure by value, in memory, as its own callers give it one.
#include "adj.h"
#include <stdio.h>

struct state {
  double numbers[5];
  long steps;
};

__attribute__((noinline)) static long steps_of(struct state state) {
  for (int i = 0; i < 5; i++) {
    state.steps += state.numbers[i] > 0.0;
    state.numbers[i] = 0.0;
  }
  return state.steps;
}

void *__enzyme_inactivefn[] = {(void *)steps_of};

static double value(const double *x) {
  struct state state = {{x[0], x[1], 1.0, 2.0, x[0] * x[1]}, 4};
  long steps = steps_of(state);
  double sum = 0;
  for (int i = 0; i < 5; i++) {
    sum += state.numbers[i] * state.numbers[i] * (double)(steps + i);
  }
  return sum;
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)value, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
