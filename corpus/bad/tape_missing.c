// The tape is missing at the end of the reverse's arguments.
// adj-exit: 3
// adj-message: the tape, which stands last, is missing
#include "adj.h"

void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double f(double x) { return x * x; }

int main(void) {
  void *tape = __enzyme_augmentfwd((void *)f, 2.0);
  return tape == 0 || __enzyme_reverse((void *)f, 2.0, 1.0) != 4.0;
}
