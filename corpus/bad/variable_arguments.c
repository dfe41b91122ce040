// The differentiated function itself takes variable arguments.
// adj-exit: 3
// adj-message: takes variable arguments, which have no derivatives
#include "adj.h"
#include <stdarg.h>
#include <stdio.h>

static double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += va_arg(list, double);
  va_end(list);
  return s * s;
}

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)sum, enzyme_const, 2, enzyme_out, 1.0, enzyme_out, 2.0));
  return 0;
}
