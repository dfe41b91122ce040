// Text made of numbers in what is thrown; returns, breaks and continues out of handlers.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
static double checked(double x, int i) {
  if (x < 0.0) throw std::invalid_argument("negative at " + std::to_string(i));
  if (x > 10.0) throw std::out_of_range(std::string("large: ") + std::to_string(x));
  return std::sqrt(x);
}
static double f(const double *x, int n) {
  double s = 1.0;
  for (int i = 0; i < n; i++) {
    try {
      s *= checked(x[i], i);
    } catch (const std::invalid_argument &e) {
      std::fprintf(stderr, "%s\n", e.what());
      s += x[i];
      continue;
    } catch (const std::logic_error &e) {
      s += std::log(x[i]);
      if (i > 3) return s * x[0];
    }
    s += 0.1;
  }
  return s;
}
int main() {
  double x[6] = {1.0, 2.0, -1.5, 11.0, 0.25, 14.0}, dx[6] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 6);
  for (double d : dx) std::printf("%.12g\n", d);
}
