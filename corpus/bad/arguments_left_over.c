// The call has more arguments than the function and its shadows.
// adj-exit: 3
// adj-message: too many arguments for `line`
#include "adj.h"

static double line(double a, double x) { return a * x; }

int main(void) { return __enzyme_autodiff((void *)line, 2.0, 3.0, 4.0) != 0.0; }
