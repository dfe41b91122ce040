// An exception that leaves the differentiated function: reported when it does.
// adj-exit: 3
// adj-message: ends the program with status 134
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>

static double root(double x) {
  if (x < 0.0) throw std::domain_error("negative");
  if (x > 100.0) throw 5;
  return std::sqrt(x);
}

static double f(double x) {
  try {
    return root(x);
  } catch (int) {
    return 10.0;
  }
}

int main() {
  std::printf("%.15g\n", __enzyme_autodiff<double>((void *)f, enzyme_out, 4.0));
  std::printf("%.15g\n", __enzyme_autodiff<double>((void *)f, enzyme_out, -1.0));
  return 0;
}
