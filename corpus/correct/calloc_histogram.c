// calloc inside the differentiated function: bins start at zero and gather contributions.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double soft_histogram(const double *x, int n, int bins) {
  double *h = calloc((size_t)bins, sizeof *h);
  int *count = calloc((size_t)bins, sizeof *count);
  double result = 0.0;
  if (!h || !count)
    abort();
  for (int i = 0; i < n; i++) {
    double position = x[i] * (bins - 1);
    int b = (int)position;
    if (b > bins - 2)
      b = bins - 2;
    h[b] += 1.0 - (position - b);
    h[b + 1] += position - b;
    count[b]++;
  }
  for (int b = 0; b < bins; b++)
    result += h[b] * h[b] * (1 + count[b]);
  free(count);
  free(h);
  return result;
}

int main(void) {
  double x[8] = {0.05, 0.31, 0.34, 0.52, 0.77, 0.93, 0.61, 0.12}, dx[8] = {0};
  printf("%.17g\n", soft_histogram(x, 8, 5));
  __enzyme_autodiff((void *)soft_histogram, enzyme_dup, x, dx, enzyme_const, 8, enzyme_const, 5);
  for (int i = 0; i < 8; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
