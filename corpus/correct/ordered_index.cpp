// std::map from names to values: inserted by operator[], found, iterated in order, erased. Keys are integers.
#include "adj.h"
#include <cstdio>
#include <map>

static double run(const double *x, int n) {
  std::map<int, double> table;
  for (int i = 0; i < n; i++)
    table[(i * 5) % 7] += x[i] * x[i];
  double sum = 0.0, before = 1.0;
  for (const auto &[key, value] : table) {
    sum += (key + 1) * value * before;
    before = value;
  }
  auto found = table.find(3);
  if (found != table.end())
    sum *= found->second;
  return sum + table.begin()->second;
}

int main() {
  double x[9] = {0.5, 0.7, -0.4, 0.2, 1.1, 0.6, -0.9, 0.8, 0.3}, dx[9] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 9);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
