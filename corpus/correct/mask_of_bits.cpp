// std::vector<bool> and std::bitset choose which values take part.
#include "adj.h"
#include <bitset>
#include <cstdio>
#include <vector>

static double run(const double *x, int n) {
  std::vector<bool> used(n, false);
  std::bitset<16> flags(0x5a3);
  for (int i = 0; i < n; i++)
    used[i] = flags[i] || x[i] > 0.5;
  double sum = 0.0, product = 1.0;
  for (int i = 0; i < n; i++)
    if (used[i])
      sum += x[i] * x[i];
    else
      product *= x[i];
  return sum * product * flags.count();
}

int main() {
  double x[8] = {0.3, 0.9, -0.4, 1.2, 0.7, -0.8, 0.45, 0.6}, dx[8] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 8);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
