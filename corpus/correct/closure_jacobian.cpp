// The rows of a Jacobian of a closure over mutable state: one component of the result at a time, the captured buffer being written by
// every call.
#include "adj.h"
#include <cstdio>
#include <vector>

template <class F> static double component(const F &f, const double *x, int row) {
  std::vector<double> y = f(x);
  return y[row];
}

static double row_of_system(const double *x, double *cache, int row) {
  double factor = 2.0;
  auto system = [&factor, cache](const double *v) {
    cache[0] = factor * v[0] * v[1];
    cache[1] = cache[0] + v[1] * v[1];
    factor += 1.0;
    return std::vector<double>{cache[0] * v[0], cache[1], factor * v[0]};
  };
  return component(system, x, row) + 0.5 * component(system, x, (row + 1) % 3);
}

int main() {
  double x[2] = {1.5, -0.5}, cache[2] = {0};
  for (int row = 0; row < 3; row++) {
    double dx[2] = {0}, dcache[2] = {0};
    __enzyme_autodiff<void>((void *)row_of_system, enzyme_dup, x, dx, enzyme_dup, cache, dcache, enzyme_const, row);
    std::printf("%.15g %.15g\n", dx[0], dx[1]);
  }
  return 0;
}
