// Leak: the derivative is right, but the tape is never freed.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static void quadruple_power(double *x, int rounds) {
  for (int i = 0; i < rounds; i++)
    *x = *x * *x;
}

static void dquadruple_power(double *x, double *dx, int rounds) {
  double *tape = malloc((size_t)rounds * sizeof *tape); //~ leak
  if (!tape)
    abort();
  for (int i = 0; i < rounds; i++) {
    tape[i] = *x;
    *x = *x * *x;
  }
  for (int i = rounds - 1; i >= 0; i--)
    *dx *= 2.0 * tape[i];
}

int main(void) {
  double x = 1.1, dx = 1.0;
  __adj_check_gradient((void *)quadruple_power, (void *)dquadruple_power, enzyme_dup, &x, &dx, enzyme_const, 3);
  printf("%.17g\n", x);
  return 0;
}
