// A standard container inside the differentiated function: construction, copies, in-place sweeps, destruction.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <vector>

static double sweeps(const double *x, int n) {
  std::vector<double> v(x, x + n);
  for (int k = 0; k < 3; k++)
    for (int i = 1; i < n; i++)
      v[i] = std::sin(v[i] * v[i - 1]);
  std::vector<double> copy = v;
  copy[0] *= 2.0;
  double sum = 0.0;
  for (double e : copy)
    sum += e * e;
  return sum + v[n - 1];
}

int main() {
  double x[4] = {1.0, 2.0, 3.0, 0.5}, dx[4] = {0};
  std::printf("%.17g\n", sweeps(x, 4));
  __enzyme_autodiff<void>((void *)sweeps, enzyme_dup, x, dx, enzyme_const, 4);
  for (double e : dx)
    std::printf("%.17g\n", e);
  return 0;
}
