// A rule that is registered under a name that nobody knows would never be used.
// adj-exit: 3
// adj-message: did you mean `__enzyme_register_derivative`?
#include "adj.h"

static double square(double x) { return x * x; }
static double slope(double x, double dx) { return 2.0 * x * dx; }
void *__enzyme_register_derivate_square[] = {(void *)square, (void *)slope};

int main(void) { return __enzyme_fwddiff((void *)square, 2.0, 1.0) != 4.0; }
