// The address of active memory is stored where a variable's pointer leads, and taken from there again: what is read by it would have no
// derivative.
// adj-exit: 3
// adj-message: a pointer to active memory is stored where nothing tells who reads it
#include <math.h>
#include <stdlib.h>
#include "adj.h"

static double **table;

static double f(const double *x, int n) {
  double sum = 0.0, *own = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) own[i] = sin(x[i]);
  table[0] = own;
  for (int i = 0; i < n; i++) sum += table[0][i] * x[i];
  free(own);
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  static double x[3] = {1, 2, 3}, dx[3];
  static double *rows[1];
  table = rows;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, 2 + argc);
  return dx[0] == 0.0;
}
