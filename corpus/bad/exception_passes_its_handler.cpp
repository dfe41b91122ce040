// An exception that a handler takes at other times leaves the differentiated function: reported when it does.
// adj-exit: 3
// adj-message: ends the program with status 134
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>

static double root(double x) {
  if (x < 0.0) throw std::domain_error("negative");
  return std::sqrt(x);
}

static double f(double x) {
  double y = x;
  try {
    y += root(x);
  } catch (const std::domain_error &) {
    y *= y;
  }
  return y + root(x - 1.0);
}

int main() {
  std::printf("%.15g\n", __enzyme_autodiff<double>((void *)f, enzyme_out, 4.0));
  std::printf("%.15g\n", __enzyme_autodiff<double>((void *)f, enzyme_out, 0.5));
  return 0;
}
