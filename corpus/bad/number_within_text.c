// The bytes of a number lie within text, and go with it when it is copied as text.
//
// adj-exit: 3
// adj-message: left the floats before
#include "adj.h"
#include <string.h>

static double f(const double *x) {
  char text[17], other[17];
  memset(text, 'a', 8);
  memcpy(text + 8, x, sizeof *x);
  text[16] = 0;
  strcpy(other, text);
  double y;
  memcpy(&y, other + 8, sizeof y);
  return y * y;
}

int main(void) {
  double x[1] = {1.2345678901234567}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return 0;
}
