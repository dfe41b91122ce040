// A logging function of variable arguments, and one that sums integers, called from the differentiated function.
#include "adj.h"
#include <stdarg.h>
#include <stdio.h>

static void note(int level, const char *format, ...) {
  if (level < 1)
    return;
  va_list args;
  va_start(args, format);
  printf("[%d] ", level);
  vprintf(format, args);
  va_end(args);
}

static int sum_of(int n, ...) {
  va_list args;
  int sum = 0;
  va_start(args, n);
  for (int i = 0; i < n; i++)
    sum += va_arg(args, int);
  va_end(args);
  return sum;
}

static double polynomial(const double *c, int n, double x) {
  double y = 0.0;
  for (int i = n - 1; i >= 0; i--) {
    y = y * x + c[i] * sum_of(3, i, 2, n);
    note(i % 2, "step %d: %.3f of %s\n", i, y, "the polynomial");
  }
  return y;
}

int main(void) {
  double c[4] = {1.0, -0.5, 0.25, 2.0}, dc[4] = {0};
  double dx = __enzyme_autodiff((void *)polynomial, enzyme_dup, c, dc, enzyme_const, 4, enzyme_out, 1.5);
  printf("%.17g %.17g %.17g %.17g %.17g\n", dc[0], dc[1], dc[2], dc[3], dx);
  return 0;
}
