// The logistic map in place with a correct tape on the heap, freed at the end; a seed other than 1.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static void logistic(double *x, const double *rate, int steps) {
  for (int i = 0; i < steps; i++)
    *x = *rate * *x * (1.0 - *x);
}

static void dlogistic(double *x, double *dx, const double *rate, double *drate, int steps) {
  double *tape = malloc((size_t)steps * sizeof *tape);
  if (!tape)
    abort();
  for (int i = 0; i < steps; i++) {
    tape[i] = *x;
    *x = *rate * *x * (1.0 - *x);
  }
  for (int i = steps - 1; i >= 0; i--) {
    *drate += tape[i] * (1.0 - tape[i]) * *dx;
    *dx *= *rate * (1.0 - 2.0 * tape[i]);
  }
  free(tape);
}

int main(void) {
  double x = 0.3, dx = -1.5, rate = 2.9, drate = 0.25;
  __adj_check_gradient((void *)logistic, (void *)dlogistic, enzyme_dup, &x, &dx, enzyme_dup, &rate, &drate,
                       enzyme_const, 12);
  printf("%.17g %.17g %.17g\n", x, dx, drate);
  return 0;
}
