// A function that returns a number has no shadow of its result to return.
// adj-exit: 3
// adj-message: is for functions that return a pointer
#include "adj.h"

extern int enzyme_dup_return;

static double f(double x) { return x * x; }

int main(void) { return __enzyme_autodiff((void *)f, enzyme_dup_return, 2.0) != 4.0; }
