// A pointer that stands for functions has to be known where it is used: not one that lies in memory.
//
// adj-exit: 3
// adj-message: what this does with a pointer of `__enzyme_todense` cannot be followed
#include "adj.h"

double *__enzyme_todense(void *, ...);

static double load(long at) { return 1; }
static void store(double value, long at) {}

static double square(const double *x) { return *x * *x; }

double *volatile shadow;

int main(void) {
  double x = 3;
  shadow = __enzyme_todense((void *)load, (void *)store);
  __enzyme_autodiff((void *)square, enzyme_dup, &x, shadow);
  return 0;
}
