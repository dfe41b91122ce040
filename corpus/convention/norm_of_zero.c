// The Euclidean norm of a zero vector: sqrt at zero behind a sum of squares.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double norm(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum); //~ convention
}

int main(void) {
  double x[3] = {0.0, 0.0, 0.0}, dx[3] = {0};
  printf("%.17g\n", norm(x, 3));
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%d\n", dx[0] == dx[1]);
  return 0;
}
