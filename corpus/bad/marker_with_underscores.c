// A marker with underscores before it, which no program defines.
// adj-exit: 3
// adj-message: did you mean `enzyme_const`?
#include "adj.h"

extern int __enzyme_const;

static double power(double x, double e) { return x * e; }

int main(void) { return __enzyme_autodiff((void *)power, 2.0, __enzyme_const, 4.0) != 4.0; }
