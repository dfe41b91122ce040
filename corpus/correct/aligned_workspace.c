// Memory from posix_memalign, handed to the caller: the callee allocates, the caller of the loop frees.
#include "adj.h"
#include <stdlib.h>

static int workspace(double **out, int n) {
  void *p = NULL;
  if (posix_memalign(&p, 32, (size_t)n * sizeof(double)) != 0) return 1;
  *out = p;
  return 0;
}

static double smooth(const double *x, int n, int sweeps) {
  double *a, *b;
  if (workspace(&a, n)) return 0.0;
  if (workspace(&b, n)) {
    free(a);
    return 0.0;
  }
  for (int i = 0; i < n; i++) a[i] = x[i] * x[i];
  for (int s = 0; s < sweeps; s++) {
    for (int i = 0; i < n; i++) b[i] = 0.25 * a[i > 0 ? i - 1 : n - 1] + 0.5 * a[i] + 0.25 * a[(i + 1) % n];
    double *t = a;
    a = b;
    b = t;
  }
  double r = 0.0;
  for (int i = 0; i < n; i++) r += a[i] * a[i] * (i + 1);
  free(a);
  free(b);
  return r;
}

int main(void) {
  double x[6] = {1.0, -0.5, 2.0, 0.75, -1.25, 0.1}, dx[6] = {0};
  __enzyme_autodiff((void *)smooth, enzyme_dup, x, dx, enzyme_const, 6, enzyme_const, 3);
  return dx[0] != 0.0 ? 0 : 1;
}
