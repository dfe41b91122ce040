// std::set keeps integers in order; std::multimap holds several values under one of them.
#include "adj.h"
#include <cstdio>
#include <map>
#include <set>

static double run(const double *x, int n) {
  std::set<int> keys;
  std::multimap<int, double> values;
  for (int i = 0; i < n; i++) {
    keys.insert((i * 7) % 4);
    values.insert({(i * 7) % 4, x[i]});
  }
  double sum = 0.0;
  for (int key : keys) {
    double product = 1.0;
    auto range = values.equal_range(key);
    for (auto it = range.first; it != range.second; ++it)
      product *= it->second;
    sum += product * (key + 1);
  }
  return sum;
}

int main() {
  double x[7] = {0.5, 1.7, -0.4, 0.2, 1.1, 0.6, -0.9}, dx[7] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 7);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
