// Numbers copied between the paddings of a vector: of one without elements, the optimiser would copy them behind null.
#include "adj.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static double roughness(const double *x, int n) {
  std::vector<double> padded(n + 4, 0.0);
  std::copy(x, x + n, padded.begin() + 2);
  double sum = 0;
  for (int i = 0; i + 3 < (int)padded.size(); i++) {
    double slope = padded[i + 2] - padded[i + 1];
    sum += slope * slope;
  }
  return sum;
}

int main() {
  double x[4] = {1, 2, 4, 3}, d[4] = {0}, right[4] = {0, -2, 6, 4};
  __enzyme_autodiff<void>((void *)roughness, enzyme_dup, x, d, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    if (!(std::fabs(d[i] - right[i]) < 1e-12)) return std::printf("component %d: %g\n", i, d[i]), 1;
  return 0;
}
