// adj-exit: 3
// adj-message: memory of unknown origin: a function without a body gave the pointer
// A pool that is compiled elsewhere gives memory through an argument: what is stored there has no shadow, and must not be lost.
#include "adj.h"

int pool_take(double **memory, int n);

static double squares(const double *x, int n) {
  double *buffer;
  if (pool_take(&buffer, n)) return 0.0;
  double sum = 0.0;
  for (int i = 0; i < n; i++) buffer[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) sum += buffer[i];
  return sum;
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0.0};
  __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
