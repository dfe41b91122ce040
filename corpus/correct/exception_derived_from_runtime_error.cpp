// An active value in a class derived from std::runtime_error, caught by its base and by itself, with what().
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
struct OutOfDomain : std::runtime_error {
  double where;
  explicit OutOfDomain(double at) : std::runtime_error("out of domain"), where(at) {}
};
static double logarithm(double x) {
  if (x <= 0.0) throw OutOfDomain(x);
  return std::log(x);
}
static double f(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    try {
      s += logarithm(x[i]);
    } catch (const OutOfDomain &e) {
      s += e.where * e.where * s;
    } catch (const std::exception &e) {
      std::fprintf(stderr, "%s\n", e.what());
    }
  }
  return s;
}
int main() {
  double x[4] = {1.5, -0.7, 2.0, -0.2}, dx[4] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx) std::printf("%.12g\n", d);
}
