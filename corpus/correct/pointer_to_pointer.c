// A ragged matrix behind a pointer to pointers; rows are swapped through the table of pointers.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double ragged(double **rows, const int *length, int n) {
  double sum = 0.0;
  double *first = rows[0];
  rows[0] = rows[n - 1];
  rows[n - 1] = first;
  rows[0][0] *= 3.0;
  for (int i = 0; i < n; i++) {
    int m = i == 0 ? length[n - 1] : i == n - 1 ? length[0] : length[i];
    for (int j = 0; j < m; j++)
      sum += rows[i][j] * rows[i][m - 1 - j] * (i + 1);
  }
  first = rows[0];
  rows[0] = rows[n - 1];
  rows[n - 1] = first;
  return sum;
}

static double **make(const int *length, int n, double start) {
  double **rows = malloc((size_t)n * sizeof *rows);
  if (!rows)
    abort();
  for (int i = 0; i < n; i++) {
    rows[i] = malloc((size_t)length[i] * sizeof **rows);
    if (!rows[i])
      abort();
    for (int j = 0; j < length[i]; j++)
      rows[i][j] = start * (1.0 + i + 0.5 * j);
  }
  return rows;
}

int main(void) {
  const int length[3] = {2, 4, 3};
  double **rows = make(length, 3, 0.5), **shadow = make(length, 3, 0.0);
  __enzyme_autodiff((void *)ragged, enzyme_dup, rows, shadow, enzyme_const, length, enzyme_const, 3);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < length[i]; j++)
      printf("%.17g %.17g\n", rows[i][j], shadow[i][j]);
    free(rows[i]);
    free(shadow[i]);
  }
  free(rows);
  free(shadow);
  return 0;
}
