// A team writes to a workspace whose address a variable of the file holds. The function sets it, and the program calls
// the function itself as well.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdlib.h>

enum { N = 12 };

static double work[N], *view, *own;

static double f(const double *x, int n) {
  view = work;
  own = malloc(n * sizeof(double));
  double s = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) view[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < n; i++) own[i] = view[i] * view[(i + 1) % n];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += sin(own[i]);
  }
  free(own);
  return s;
}

int main(void) {
  double x[N], d[N] = {0};
  for (int i = 0; i < N; i++) x[i] = 0.25 * i - 0.6;
  double before = f(x, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, N);
  return !(before == before) || d[1] == 0.0;
}
