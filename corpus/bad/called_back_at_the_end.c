// A function of the library keeps one of the program, which works on variables with active numbers, and calls it later.
// adj-exit: 3
// adj-message: gets the address of one that works on active memory
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double number, square;

static void compute(void) { square = number * number; }

static double f(const double *x) {
  number = x[0];
  at_quick_exit(compute);
  return number * square;
}

int main(void) {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g\n", dx[0]);
}
