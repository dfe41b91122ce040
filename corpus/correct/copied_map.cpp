// A map of numbers is copied with the colours of its nodes, and both maps grow afterwards: the library rebalances the
// copy, and its shadow, by colours that it did not give.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <map>

static double f(const double *x) {
  std::map<int, double> a;
  for (int i = 0; i < 6; i++) a[(7 * i) % 6] = x[i % 3] * (i + 1);
  std::map<int, double> b = a;
  for (int i = 6; i < 12; i++) b[i] = x[i % 3] * x[0];
  for (int i = -5; i < 0; i++) a[i] = x[0] * x[1];
  double sum = 0;
  for (auto &[key, value] : b) sum = 0.9 * sum + value * value;
  for (auto &[key, value] : a) sum += key * value;
  return sum;
}

int main() {
  double x[3] = {0.5, -1.25, 0.75}, dx[3] = {0}, h = 1e-6;
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx);
  for (int i = 0; i < 3; i++) {
    double v[3] = {0}, up[3], down[3];
    v[i] = 1;
    for (int j = 0; j < 3; j++) up[j] = x[j] + h * v[j], down[j] = x[j] - h * v[j];
    double difference = (f(up) - f(down)) / (2 * h), tangent = __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, v);
    if (!(std::fabs(dx[i] - difference) < 1e-6) || !(std::fabs(tangent - difference) < 1e-6))
      return std::printf("component %d: %g, %g, not %g\n", i, dx[i], tangent, difference), 1;
  }
}
