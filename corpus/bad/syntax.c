// C that does not compile: a name that was never declared, and a missing semicolon.
// adj-exit: 2
// adj-message: undeclared
#include "adj.h"

static double f(double x) {
  return x * undeclared_factor
}

int main(void) {
  return (int)__enzyme_autodiff((void *)f, 1.0);
}
