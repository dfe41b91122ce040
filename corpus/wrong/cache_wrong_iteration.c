// Cache: a logistic map keeps its states on a tape, and the reverse sweep reads the state after the
// step instead of the one before it (index off by one). Evidence: the value popped is not the value
// which the primal had at that dynamic instance, but that of the neighbouring iteration.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static void logistic(double *x, double rate, int steps) {
  for (int i = 0; i < steps; i++)
    *x = rate * *x * (1.0 - *x);
}

static void dlogistic(double *x, double *dx, double rate, int steps) {
  double *tape = malloc((size_t)(steps + 1) * sizeof *tape);
  if (!tape)
    abort();
  tape[0] = *x;
  for (int i = 0; i < steps; i++) {
    *x = rate * *x * (1.0 - *x);
    tape[i + 1] = *x;
  }
  for (int i = steps - 1; i >= 0; i--)
    *dx *= rate * (1.0 - 2.0 * tape[i + 1]); //~ wrong: cache
  free(tape);
}

int main(void) {
  double x = 0.3, dx = 1.0;
  __adj_check_gradient((void *)logistic, (void *)dlogistic, enzyme_dup, &x, &dx, enzyme_const, 2.7, enzyme_const, 6);
  printf("%.17g\n", x);
  return 0;
}
