// A function is registered as a rule of its own: a recursion without end.
// adj-exit: 3
// adj-message: is given as its own rule
#include "adj.h"

static double square(double x) { return x * x; }
static double reverse(double x, double adjoint) { return 2.0 * x * adjoint; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square, (void *)reverse};

static double f(double x) { return square(x) + 1.0; }

int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 4.0; }
