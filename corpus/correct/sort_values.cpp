// std::sort, nth_element and stable_sort of active values, with a comparison of their own, and of indices by active keys.
#include "adj.h"
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct Sample {
  double key, weight;
};

static double trimmed(const double *x, int n) {
  std::vector<double> v(x, x + n);
  std::sort(v.begin(), v.end());
  double mean = std::accumulate(v.begin() + 2, v.end() - 2, 0.0) / (n - 4);
  std::vector<Sample> s;
  for (int i = 0; i < n; i++)
    s.push_back({x[i] * x[i], x[(i + 1) % n]});
  std::sort(s.begin(), s.end(), [](const Sample &a, const Sample &b) { return a.key > b.key; });
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [x](int a, int b) { return x[a] < x[b]; });
  double sum = mean * v[n / 2];
  for (int i = 0; i < n; i++)
    sum += s[i].weight * s[i].key * (i + 1) + x[order[i]] * i;
  return sum;
}

int main() {
  const int n = 20;
  double x[n], dx[n] = {0};
  for (int i = 0; i < n; i++)
    x[i] = 0.1 * ((i * 7) % n) - 0.83;
  __enzyme_autodiff<double>((void *)trimmed, enzyme_dup, x, dx, enzyme_const, n);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
