// What stands for a load gets the offset first.
//
// adj-exit: 3
// adj-message: what loads gets the offset
#include "adj.h"

double *__enzyme_todense(void *, ...);

static double load(double at) { return 1; }
static void store(double value, long at) {}

static double square(const double *x) { return *x * *x; }

int main(void) {
  double x = 3;
  __enzyme_autodiff((void *)square, enzyme_dup, &x, __enzyme_todense((void *)load, (void *)store));
  return 0;
}
