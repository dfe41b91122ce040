// Algorithms that move values about: stable_sort, nth_element, partition, unique, merge, lower_bound.
#include "adj.h"
#include <algorithm>
#include <cstdio>
#include <vector>

static double run(const double *x, int n) {
  std::vector<double> v(x, x + n), w(x, x + n), all(2 * n);
  std::stable_sort(v.begin(), v.end());
  std::nth_element(w.begin(), w.begin() + n / 2, w.end());
  double median = w[n / 2];
  auto middle = std::partition(w.begin(), w.end(), [median](double a) { return a < median; });
  double low = 0.0;
  for (auto it = w.begin(); it != middle; ++it)
    low += *it * *it;
  for (double &a : w)
    a = a * a + 1.0;
  std::sort(w.begin(), w.end());
  std::merge(v.begin(), v.end(), w.begin(), w.end(), all.begin());
  auto first = std::lower_bound(all.begin(), all.end(), 0.5);
  return low * median + *first * all[n] + all.back();
}

int main() {
  double x[7] = {0.3, -0.8, 1.1, 0.55, -0.1, 0.9, 0.2}, dx[7] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 7);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
