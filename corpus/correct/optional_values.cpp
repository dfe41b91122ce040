// std::optional: absent, present, value_or, emplaced and reset.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <optional>

static std::optional<double> root(double a, double b, double c) {
  double disc = b * b - 4.0 * a * c;
  if (disc < 0.0)
    return std::nullopt;
  return (-b + std::sqrt(disc)) / (2.0 * a);
}

static double run(const double *x, int n) {
  double sum = 0.0;
  std::optional<double> last;
  for (int i = 0; i + 2 < n; i++) {
    std::optional<double> r = root(x[i], x[i + 1], x[i + 2]);
    sum += r.value_or(x[i] * x[i]);
    if (r) {
      if (last)
        sum += *last * *r;
      last = r;
    } else if (i == 3) {
      last.reset();
    }
  }
  return sum;
}

int main() {
  double x[8] = {1.0, 2.5, 0.5, 1.5, -0.8, 2.0, 0.7, -1.1}, dx[8] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 8);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
