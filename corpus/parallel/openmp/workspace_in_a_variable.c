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
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, N);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    double at = x[i], h = 1e-6;
    x[i] = at + h;
    double more = f(x, N);
    x[i] = at - h;
    double less = f(x, N);
    x[i] = at;
    wrong += fabs((more - less) / (2 * h) - d[i]) > 1e-5;
  }
  return wrong;
}
