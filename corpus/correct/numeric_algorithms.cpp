// <numeric> and <algorithm>: accumulate, inner_product, partial_sum, adjacent_difference, transform, for_each, max_element.
#include "adj.h"
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

static double run(const std::vector<double> *xs) {
  const std::vector<double> &x = *xs;
  std::vector<double> sums(x.size()), gaps(x.size()), both;
  std::partial_sum(x.begin(), x.end(), sums.begin());
  std::adjacent_difference(x.begin(), x.end(), gaps.begin());
  std::transform(sums.begin(), sums.end(), gaps.begin(), std::back_inserter(both),
                 [](double a, double b) { return a * b; });
  std::for_each(both.begin(), both.end(), [&](double &v) { v += x[0] * x[0]; });
  std::reverse(both.begin(), both.end());
  std::rotate(both.begin(), both.begin() + 2, both.end());
  double most = *std::max_element(both.begin(), both.end());
  double product = std::accumulate(x.begin(), x.end(), 1.0, std::multiplies<double>());
  return most + product + std::inner_product(both.begin(), both.end(), sums.begin(), 0.0);
}

int main() {
  std::vector<double> x = {0.4, 1.2, -0.7, 0.9, 0.3}, dx(5, 0.0);
  __enzyme_autodiff<double>((void *)run, enzyme_dup, &x, &dx);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
