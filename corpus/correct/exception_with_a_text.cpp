// A class derived from std::runtime_error, its text put together with std::to_string, the last iterate beside it.
#include "adj.h"
#include <cstdio>
#include <stdexcept>
#include <string>
struct NoConvergence : std::runtime_error {
  double last; int steps;
  NoConvergence(double l, int n) : std::runtime_error("no convergence after " + std::to_string(n)), last(l), steps(n) {}
};
static double root(double a) {
  double x = 1.0;
  for (int i = 0; i < 4; i++) x = 0.5 * (x + a / x);
  if (x * x - a > 1e-8) throw NoConvergence(x, 4);
  return x;
}
static double f(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    try { s += root(a[i]); } catch (const NoConvergence &e) { std::printf("%s\n", e.what()); s += e.last * e.steps; }
  return s;
}
int main() {
  double a[3] = {1.0, 8.0, 200.0}, da[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, a, da, enzyme_const, 3);
  for (double d : da) std::printf("%.12g\n", d);
}
