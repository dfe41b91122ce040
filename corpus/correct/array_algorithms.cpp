// std::array with <algorithm> and <numeric>: accumulate, inner_product, transform, partial_sum, max_element, reverse, rotate, fill.
#include "adj.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

static double pipeline(const double *x) {
  std::array<double, 6> a, b, c;
  std::copy(x, x + 6, a.begin());
  std::transform(a.begin(), a.end(), b.begin(), [](double v) { return std::exp(0.5 * v); });
  std::partial_sum(a.begin(), a.end(), c.begin());
  std::reverse(b.begin(), b.end());
  std::rotate(c.begin(), c.begin() + 2, c.end());
  std::array<double, 6> d = c;
  std::fill(d.begin() + 4, d.end(), x[0]);
  double total = std::accumulate(d.begin(), d.end(), 0.25);
  double dot = std::inner_product(b.begin(), b.end(), c.begin(), 0.0);
  double product = std::accumulate(a.begin(), a.end(), 1.0, [](double p, double v) { return p * (1.0 + v); });
  return total * dot + product + *std::max_element(c.begin(), c.end());
}

int main() {
  double x[6] = {0.5, -1.5, 2.0, 0.25, 0.75, -0.5}, dx[6] = {0};
  __enzyme_autodiff<double>((void *)pipeline, enzyme_dup, x, dx);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
