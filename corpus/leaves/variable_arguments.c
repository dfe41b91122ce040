// The bits as a variable argument.
#include "bits.h"
#include <stdarg.h>
static __attribute__((noinline)) double last(int n, ...) {
  va_list list;
  va_start(list, n);
  unsigned long long u = 0;
  for (int k = 0; k < n; k++)
    u = va_arg(list, unsigned long long);
  va_end(list);
  return number_of(u);
}
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = last(2, 7ull, (unsigned long long)bits_of(x[i]));
}
#include "judge.h"
