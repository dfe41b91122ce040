// Tangents alone, of functions that call others, recurse, and work on memory that they allocate and free.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_fwdsplit(void *, ...);

static double chebyshev(int n, double x) {
  return n == 0 ? 1.0 : n == 1 ? x : 2.0 * x * chebyshev(n - 1, x) - chebyshev(n - 2, x);
}

static double differences(double x, double h, int n) {
  double *table = malloc(n * sizeof *table);
  for (int i = 0; i < n; i++)
    table[i] = sin(x + i * h);
  for (int order = 1; order < n; order++)
    for (int i = 0; i < n - order; i++)
      table[i] = (table[i + 1] - table[i]) / h;
  double result = table[0];
  free(table);
  return result;
}

int main(void) {
  for (int n = 0; n < 6; n++)
    printf("%.12g\n", __enzyme_fwdsplit((void *)chebyshev, n, enzyme_dup, 0.3, 1.0, (void *)0));
  printf("%.12g\n", __enzyme_fwdsplit((void *)differences, enzyme_dup, 0.4, 1.0, enzyme_dup, 0.25, 0.5, 4, (void *)0));
  return 0;
}
