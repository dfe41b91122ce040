// std::map with active values: insertion, lookup, update, erasure and a walk in order of the keys.
#include "adj.h"
#include <cstdio>
#include <map>

static double ledger(const double *x, int n) {
  std::map<int, double> account;
  for (int i = 0; i < n; i++)
    account[(i * 5) % 7] += x[i] * (i + 1);
  account.erase(3);
  auto found = account.find(2);
  if (found != account.end())
    found->second *= found->second;
  double sum = 0.0, factor = 1.0;
  for (const auto &entry : account) {
    sum += factor * entry.second;
    factor = factor * 0.5 + 0.1 * entry.second;
  }
  return sum;
}

int main() {
  const int n = 10;
  double x[n], dx[n] = {0};
  for (int i = 0; i < n; i++)
    x[i] = 0.3 + 0.07 * i;
  __enzyme_autodiff<double>((void *)ledger, enzyme_dup, x, dx, enzyme_const, n);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
