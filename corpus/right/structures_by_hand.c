// Gradients and tangents by hand of functions that take small structures by value: the shadow of a structure is a
// structure.
#include "adj.h"

struct pair {
  double x, y;
};
struct arrays {
  const double *in;
  double *out;
};
struct view {
  const double *data;
  long n;
};

static double cubic(struct pair p) { return p.x * p.x * p.x + 5 * p.y * p.y; }

static double cubic_tangent(struct pair p, struct pair dp) { return 3 * p.x * p.x * dp.x + 10 * p.y * dp.y; }

static void squares(struct arrays a, int n) {
  for (int i = 0; i < n; i++)
    a.out[i] = a.in[i] * a.in[i];
}

static void squares_gradient(struct arrays a, struct arrays shadow, int n) {
  squares(a, n);
  for (int i = 0; i < n; i++) {
    ((double *)shadow.in)[i] += 2 * a.in[i] * shadow.out[i];
    shadow.out[i] = 0;
  }
}

static double norm(struct view v) {
  double s = 0;
  for (long i = 0; i < v.n; i++)
    s += v.data[i] * v.data[i];
  return s;
}

static void norm_gradient(struct view v, struct view shadow, double seed) {
  for (long i = 0; i < shadow.n; i++)
    ((double *)shadow.data)[i] += 2 * v.data[i] * seed;
}

int main(void) {
  struct pair p = {2, 3}, dp = {7, 50};
  __adj_check_tangent((void *)cubic, (void *)cubic_tangent, enzyme_dup, p, dp);
  double x[3] = {1, 2, 3}, dx[3] = {0}, y[3], dy[3] = {1, 10, 100};
  struct arrays a = {x, y}, da = {dx, dy};
  __adj_check_gradient((void *)squares, (void *)squares_gradient, enzyme_dup, a, da, enzyme_const, 3);
  struct view v = {x, 3}, dv = {dx, 3};
  __adj_check_gradient((void *)norm, (void *)norm_gradient, enzyme_dup, v, dv, 1.0);
  return 0;
}
