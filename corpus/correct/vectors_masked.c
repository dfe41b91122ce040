// Vector comparisons, and choices by their masks, on vectors loaded from memory that is aligned for doubles only.
#include "adj.h"
#include <string.h>

typedef double v4 __attribute__((vector_size(32)));
typedef long m4 __attribute__((vector_size(32)));

static v4 load(const double *p) {
  v4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

static v4 choose(m4 mask, v4 a, v4 b) {
  v4 r = b;
  for (int lane = 0; lane < 4; lane++)
    if (mask[lane]) r[lane] = a[lane];
  return r;
}

static double huber(const double *x, int n, double delta) {
  v4 sum = {0.0, 0.0, 0.0, 0.0};
  v4 d = {delta, delta, delta, delta};
  for (int i = 0; i + 4 <= n; i += 4) {
    v4 v = load(x + i);
    v4 size = choose(v > 0.0, v, -v);
    sum += choose(size < d, 0.5 * v * v, d * (size - 0.5 * d));
  }
  return sum[0] + 2.0 * sum[1] + 3.0 * sum[2] + 4.0 * sum[3];
}

int main(void) {
  double x[8] = {0.5, -2.0, 3.0, -0.25, 1.5, 0.75, -0.1, -4.0}, dx[8] = {0};
  __enzyme_autodiff((void *)huber, enzyme_dup, x, dx, enzyme_const, 8, enzyme_out, 1.0);
  return dx[0] != 0.0 ? 0 : 1;
}
