// Functions that ask for the derivative of what their caller names: templates, by value and by reference, in each other;
// a marker that a function gives.
#include "adj.h"
#include <cstdio>
#include <vector>

template <class F>
static double slope(F f, double x) {
  return __enzyme_autodiff<double>((void *)f, x);
}
template <class F>
static double slope_by_reference(F &f, double x) {
  return __enzyme_autodiff<double>((void *)f, x);
}
static double at_two(double (*f)(double)) { return slope(f, 2.0); }

__attribute__((always_inline)) static inline int kept() { return enzyme_const; }

template <class F>
static std::vector<double> gradient(F f, const std::vector<double> &x, double by) {
  std::vector<double> out(x.size());
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x.data(), out.data(), enzyme_const, (int)x.size(), kept(), by);
  return out;
}

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double norm(const double *x, int n, double by) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += by * x[i] * x[i];
  return sum;
}

int main() {
  std::printf("%g\n", slope(square, 3.0));
  double (*p)(double) = square;
  std::printf("%g\n", slope(p, 3.0));
  std::printf("%g\n", slope_by_reference(p, 3.0));
  std::printf("%g %g\n", at_two(square), at_two(cube));
  std::printf("%g\n", slope(+[](double x) { return 2 * x * x * x; }, 3.0));
  std::vector<double> x{1, 2, 3}, dx = gradient(norm, x, 2.0);
  std::printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
