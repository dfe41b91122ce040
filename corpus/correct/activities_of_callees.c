// One helper called with active and with constant arguments in one gradient: what it does to the one it does not do to the other.
#include "adj.h"

enum { N = 3 };

static double dot(const double *a, const double *b) {
  double s = 0.0;
  for (int i = 0; i < N; i++) s += a[i] * b[i];
  return s;
}

static void scale(double *a, double by) {
  for (int i = 0; i < N; i++) a[i] *= by;
}

static double project(const double *x, const double *axis) {
  double unit[N], moved[N];
  for (int i = 0; i < N; i++) unit[i] = axis[i];
  scale(unit, 1.0 / dot(axis, axis));
  double along = dot(x, unit);
  for (int i = 0; i < N; i++) moved[i] = x[i];
  scale(moved, along);
  scale(moved, 2.0);
  return dot(moved, axis) + dot(moved, moved);
}

int main(void) {
  double x[N] = {1.0, -0.5, 2.0}, dx[N] = {0}, axis[N] = {0.5, 1.0, -0.25}, da[N] = {0}, dy[N] = {0};
  __enzyme_autodiff((void *)project, enzyme_dup, x, dx, enzyme_const, axis);
  __enzyme_autodiff((void *)project, enzyme_dup, x, dy, enzyme_dup, axis, da);
  return dx[0] == dy[0] && dx[1] == dy[1] && da[0] != 0.0 ? 0 : 1;
}
