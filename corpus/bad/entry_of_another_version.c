// A name of this family that no version of the convention has, called where control does not come.
// adj-exit: 3
// adj-message: __enzyme_forward_over_reverse
#include "adj.h"

void __enzyme_forward_over_reverse(void *, ...);

static double square(double x) { return x * x; }

int main(int argc, char **argv) {
  (void)argv;
  double x = 3.0;
  if (argc > 5) __enzyme_forward_over_reverse((void *)square, &x);
  return 0;
}
