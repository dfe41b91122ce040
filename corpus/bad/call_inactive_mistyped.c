// adj-exit: 3
// adj-message: the arguments or the result of `__enzyme_call_inactive` are not those of `damping`
// A call declared inactive with an integer where the function takes a number.
#include "adj.h"

double __enzyme_call_inactive(void *f, ...);

static double damping(double x) { return 1 / (1 + x * x); }

static double smoothed(double x) { return x * __enzyme_call_inactive(damping, 2); }

int main(void) { return __enzyme_autodiff(smoothed, 1.5) > 10; }
