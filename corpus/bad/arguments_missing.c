// The call has fewer arguments than the function.
// adj-exit: 3
// adj-message: too few arguments: argument 3 of `line` is missing
#include "adj.h"

static double line(double a, double x, double b) { return a * x + b; }

int main(void) { return __enzyme_autodiff((void *)line, enzyme_const, 2.0, enzyme_out, 3.0) != 2.0; }
