// A reduction that the program declares.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

struct pair {
  double a, b;
};
static void join(struct pair *out, const struct pair *in) {
  out->a += in->a;
  out->b *= in->b;
}
#pragma omp declare reduction(pairs : struct pair : join(&omp_out, &omp_in)) initializer(omp_priv = {0, 1})
static double f(const double *x, int n) {
  struct pair p = {0, 1};
#pragma omp parallel for reduction(pairs : p)
  for (int i = 0; i < n; i++) {
    p.a += x[i] * x[i];
    p.b *= 0.5 + x[i];
  }
  return p.a * p.b;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
