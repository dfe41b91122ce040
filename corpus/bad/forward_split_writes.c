// Tangents alone, of a function that writes to its caller's memory: it would do so again.
// adj-exit: 3
// adj-message: runs the function again for its tangents
#define ADJ_NO_AUTODIFF
#include "adj.h"

double __enzyme_fwdsplit(void *, ...);

static double accumulate(double *sum, double x) { return *sum += x * x; }

int main(void) {
  double sum = 1.0, dsum = 0.0;
  return __enzyme_fwdsplit((void *)accumulate, enzyme_dup, &sum, &dsum, enzyme_dup, 2.0, 1.0, (void *)0) != 4.0;
}
