// An exception of the standard library, thrown at one of two points and caught by the differentiated function.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>

static double root(double x) {
  if (x < 0.0)
    throw std::domain_error("negative");
  return std::sqrt(x);
}

static double guarded(double x) {
  try {
    return root(x) + root(x - 1.0);
  } catch (const std::domain_error &) {
    return x;
  }
}

int main() {
  std::printf("%.17g\n", __enzyme_autodiff<double>((void *)guarded, enzyme_out, 2.0));
  std::printf("%.17g\n", __enzyme_autodiff<double>((void *)guarded, enzyme_out, 0.5));
  return 0;
}
