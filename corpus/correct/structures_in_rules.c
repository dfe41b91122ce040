// Rules of functions that take small structures by value: the shadow of a structure is a structure.
#include "adj.h"
#include <stdio.h>

struct pair {
  double x, y;
};
struct arrays {
  const double *in;
  double *out;
};
struct view {
  double *data;
  long n;
};

__attribute__((noinline)) static double cubic(struct pair p) { return p.x * p.x * p.x + 5 * p.y * p.y; }
__attribute__((noinline)) static double cubic_tangent(struct pair p, struct pair dp) {
  return 3 * p.x * p.x * dp.x + 10 * p.y * dp.y;
}
void *__enzyme_register_derivative_cubic[] = {(void *)cubic, (void *)cubic_tangent};

__attribute__((noinline)) static void squares(struct arrays a, int n) {
  for (int i = 0; i < n; i++)
    a.out[i] = a.in[i] * a.in[i];
}
__attribute__((noinline)) static void *squares_forward(struct arrays a, struct arrays shadow, int n) {
  (void)shadow;
  squares(a, n);
  return 0;
}
__attribute__((noinline)) static void squares_reverse(struct arrays a, struct arrays shadow, int n, void *tape) {
  (void)tape;
  for (int i = 0; i < n; i++) {
    ((double *)shadow.in)[i] += 2 * a.in[i] * shadow.out[i];
    shadow.out[i] = 0;
  }
}
void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)squares_forward, (void *)squares_reverse};

__attribute__((noinline)) static void scale(struct view v, double by) {
  for (long i = 0; i < v.n; i++)
    v.data[i] *= by;
}
__attribute__((noinline)) static double *scale_forward(struct view v, struct view shadow, double by) {
  (void)shadow;
  static double kept[2];
  for (long i = 0; i < v.n; i++)
    kept[i] = v.data[i];
  scale(v, by);
  return kept;
}
__attribute__((noinline)) static double scale_reverse(struct view v, struct view shadow, double by, double *kept) {
  double sum = 0;
  for (long i = 0; i < v.n; i++) {
    sum += kept[i] * shadow.data[i];
    shadow.data[i] *= by;
  }
  return sum;
}
void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)scale_forward, (void *)scale_reverse};

static double of_cubic(double a, double b) { return cubic((struct pair){a * b, b}); }

static double of_squares(const double *x, double *y, int n) {
  squares((struct arrays){x, y}, n);
  return y[0] + 10 * y[1];
}

static double of_scale(double *x, double by) {
  scale((struct view){x, 2}, by * by);
  return x[0] * x[0] + 3 * x[1];
}

int main(void) {
  printf("%g\n", __enzyme_fwddiff((void *)of_cubic, enzyme_dup, 2.0, 1.0, enzyme_dup, 3.0, 0.5));
  double x[2] = {1, 2}, dx[2] = {0}, y[2], dy[2] = {0};
  __enzyme_autodiff((void *)of_squares, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 2);
  printf("%g %g\n", dx[0], dx[1]);
  double z[2] = {1, 2}, dz[2] = {0};
  double by = __enzyme_autodiff((void *)of_scale, enzyme_dup, z, dz, enzyme_out, 3.0);
  printf("%g %g %g\n", by, dz[0], dz[1]);
  return 0;
}
