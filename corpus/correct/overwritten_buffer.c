// A scratch buffer is read nonlinearly and then overwritten: recomputing it in reverse is wrong.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 5

static double refine(double *work, const double *x, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++)
    work[i] = sin(x[i]);
  for (int i = 0; i < n; i++)
    total += work[i] * work[i] * x[i];
  for (int i = 0; i < n; i++)
    work[i] = exp(-work[i]) + work[(i + 1) % n];
  for (int i = 0; i < n; i++)
    total += work[i] * x[n - 1 - i];
  for (int i = 0; i < n; i++)
    work[i] = 0.0;
  return total;
}

int main(void) {
  double work[N] = {0}, dwork[N] = {0}, x[N], dx[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + 0.25 * i;
  printf("%.17g\n", refine(work, x, N));
  __enzyme_autodiff((void *)refine, enzyme_dup, work, dwork, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g\n", dx[i], dwork[i]);
  return 0;
}
