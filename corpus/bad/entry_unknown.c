// A name that begins as those of the convention do, and is none of them.
// adj-exit: 3
// adj-message: did you mean `__enzyme_autodiff`?
#include "adj.h"

double __enzyme_autodif(void *, ...);

static double square(double x) { return x * x; }

int main(void) { return __enzyme_autodif((void *)square, 2.0) != 4.0; }
