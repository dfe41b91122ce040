// The bits of a number pass a function of variable arguments that computes nothing with them.
#include "adj.h"
#include <stdarg.h>
#include <string.h>

static __attribute__((noinline)) unsigned long first(int count, ...) {
  va_list list;
  va_start(list, count);
  unsigned long word = va_arg(list, unsigned long);
  va_end(list);
  return word;
}

static double f(double x) {
  unsigned long word;
  memcpy(&word, &x, sizeof word);
  word = first(1, word);
  double again;
  memcpy(&again, &word, sizeof again);
  return again * again;
}

int main(void) {
  double d = __enzyme_autodiff((void *)f, enzyme_out, 1.5);
  return d != 3.0;
}
