// Nested loops whose inner bounds depend on the outer counter and on an integer table.
#include "adj.h"
#include <stdio.h>

#define N 6

static double triangle(const double *x, const int *length, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double row = 1.0;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < length[j]; k++)
        row *= 0.5 + x[j] * x[k];
    for (int j = i; j < n; j += 2)
      row += x[j];
    sum += row * x[i];
  }
  return sum;
}

int main(void) {
  const int length[N] = {2, 0, 3, 1, 0, 2};
  double x[N], dx[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.8 + 0.07 * i;
  printf("%.17g\n", triangle(x, length, N));
  __enzyme_autodiff((void *)triangle, enzyme_dup, x, dx, enzyme_const, length, enzyme_const, N);
  for (int i = 0; i < N; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
