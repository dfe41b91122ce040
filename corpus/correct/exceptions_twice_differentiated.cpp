// A gradient of a function that throws and catches, differentiated again: forward over reverse, reverse over forward.
#include "adj.h"
#include <cmath>
#include <cstdio>
struct Bad { double value; };
static double step(double x) { if (x > 2.0) throw Bad{x * x * x}; return std::sin(x) * x; }
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    try { s += step(x[i]) * x[0]; } catch (const Bad &b) { s += 0.5 * b.value * x[0] * x[0]; }
  }
  return s;
}
static void grad(const double *x, double *dx, int n) {
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, n);
}
static double tangent(const double *x, const double *v, int n) {
  return __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, v, enzyme_const, n);
}
int main() {
  double x[4] = {1.0, 2.5, 0.5, 3.0}, v[4] = {1, 0.5, -1, 2}, dx[4] = {0}, h[4] = {0};
  __enzyme_fwddiff<void>((void *)grad, enzyme_dup, x, v, enzyme_dup, dx, h, enzyme_const, 4);
  for (double d : h) std::printf("%.12g\n", d);
  double g[4] = {0};
  __enzyme_autodiff<void>((void *)tangent, enzyme_dup, x, g, enzyme_const, v, enzyme_const, 4);
  for (double d : g) std::printf("%.12g\n", d);
}
