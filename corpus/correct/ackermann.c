// Doubly recursive integers with an active value threaded through by pointer.
#include "adj.h"
#include <stdio.h>

static int ackermann(int m, int n, double *x) {
  *x = *x * 0.999 + 0.001 * (m + 1) * *x * *x;
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1, x);
  return ackermann(m - 1, ackermann(m, n - 1, x), x);
}

static double walk(double x, int m, int n) {
  double y = x;
  int value = ackermann(m, n, &y);
  return y * y * value;
}

int main(void) {
  for (int m = 0; m < 3; m++)
    for (int n = 0; n < 3; n++) {
      double d = __enzyme_autodiff((void *)walk, enzyme_out, 0.8, enzyme_const, m, enzyme_const, n);
      printf("%.17g %.17g\n", walk(0.8, m, n), d);
    }
  return 0;
}
