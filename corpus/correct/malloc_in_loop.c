// A heap buffer of growing size is allocated, used and freed in every trip of a loop.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double prefix_products(const double *x, int n) {
  double total = 0.0;
  for (int m = 1; m <= n; m++) {
    double *p = malloc((size_t)m * sizeof *p);
    if (!p)
      return -1.0;
    p[0] = x[0];
    for (int i = 1; i < m; i++)
      p[i] = p[i - 1] * x[i] + 0.1;
    for (int i = 0; i < m; i++)
      total += p[i] * p[m - 1 - i];
    free(p);
  }
  return total;
}

int main(void) {
  double x[7], dx[7] = {0};
  for (int i = 0; i < 7; i++)
    x[i] = 0.9 - 0.11 * i;
  printf("%.17g\n", prefix_products(x, 7));
  __enzyme_autodiff((void *)prefix_products, enzyme_dup, x, dx, enzyme_const, 7);
  for (int i = 0; i < 7; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
