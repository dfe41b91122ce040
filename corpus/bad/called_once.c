// A function of the library calls one of the program, which works on variables with active numbers.
// adj-exit: 3
// adj-flags: -pthread
// adj-message: gets the address of one that works on active memory
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static double number, square;

static void init(void) { square = number * number; }

static double f(const double *x) {
  number = x[0];
  pthread_once(&once, init);
  return square;
}

int main(void) {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g\n", dx[0]);
}
