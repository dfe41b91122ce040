// Each trip of a loop has a block of memory that is clear, read and freed: as many blocks as trips, all given back.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4

static double trips(const double *x, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double *table = calloc((size_t)n, sizeof(double));
    int *count = malloc(sizeof(int));
    *count = i + 1;
    for (int j = 0; j < *count; j++)
      total += (table[j] + x[i]) * sin(x[j]) * (table[i] + 1.5);
    free(table);
    if (i % 2)
      free(count);
    else
      count = realloc(count, 2 * sizeof(int)), total *= count[0], free(count);
  }
  return total;
}

int main(void) {
  double x[N] = {0.4, -0.7, 1.1, 0.2}, dx[N] = {0};
  printf("%.17g\n", trips(x, N));
  __enzyme_autodiff((void *)trips, enzyme_dup, x, dx, enzyme_const, N);
  printf("%.17g %.17g %.17g %.17g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
