// std::unordered_map from integers to active sums; enough entries for a few rehashes.
#include "adj.h"
#include <cstdio>
#include <unordered_map>

static double histogram(const double *x, int n) {
  std::unordered_map<int, double> bins;
  for (int i = 0; i < n; i++)
    bins[(i * i) % 31] += x[i] * x[i];
  double sum = 0.0;
  for (int key = 0; key < 31; key++) {
    auto found = bins.find(key);
    if (found != bins.end())
      sum += found->second * found->second * (key + 1);
  }
  return sum;
}

int main() {
  const int n = 40;
  double x[n], dx[n] = {0};
  for (int i = 0; i < n; i++)
    x[i] = 0.3 + 0.07 * i;
  __enzyme_autodiff<double>((void *)histogram, enzyme_dup, x, dx, enzyme_const, n);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
