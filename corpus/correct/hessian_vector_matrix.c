// Forward over reverse with a matrix as input: the product of the Hessian with a direction has all rows and all columns, for every
// direction, also where the gradient is kept in memory of its own.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 3, columns = 2, size = rows * columns };

void __enzyme_autodiff_void(void *, ...);
void __enzyme_fwddiff_void(void *, ...);

static double objective(const double *m, int r, int c) {
  double *sums = calloc(r, sizeof *sums), value = 0.0;
  for (int j = 0; j < c; j++)
    for (int i = 0; i < r; i++)
      sums[i] += m[i + j * r] * m[(i + 1) % r + j * r];
  for (int i = 0; i < r; i++)
    value += exp(0.3 * sums[i]) * m[i];
  free(sums);
  return value;
}

static void gradient(const double *m, double *g) {
  double *fresh = calloc(size, sizeof *fresh);
  __enzyme_autodiff_void((void *)objective, enzyme_dup, m, fresh, enzyme_const, rows, enzyme_const, columns);
  for (int i = 0; i < size; i++)
    g[i] = fresh[i];
  free(fresh);
}

int main(void) {
  double m[size] = {0.4, 1.1, -0.6, 0.9, 0.2, -1.3}, g[size], h[size][size] = {{0}};
  int wrong = 0;
  for (int k = 0; k < size; k++) {
    double v[size] = {0};
    v[k] = 1.0;
    __enzyme_fwddiff_void((void *)gradient, enzyme_dup, m, v, enzyme_dup, g, h[k]);
  }
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      printf("%.12g\n", h[i][j]);
      wrong += !(fabs(h[i][j] - h[j][i]) < 1e-13);
    }
  return wrong;
}
