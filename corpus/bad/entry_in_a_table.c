// The address of an entry point in a table: nobody knows what is called through it.
// adj-exit: 3
// adj-message: `__enzyme_autodiff` has its address taken here
#include "adj.h"

typedef double (*derivative)(void *, ...);
derivative table[] = {__enzyme_autodiff, __enzyme_fwddiff};

static double square(double x) { return x * x; }

int main(int argc, char **argv) {
  (void)argv;
  return table[argc - 1]((void *)square, 2.0) != 4.0;
}
