// try and catch around the differentiated work, nested, with a cleanup in between; nothing is thrown at these points.
#include "adj.h"
#include <cmath>
#include <stdexcept>

static int released = 0;
struct Lock {
  ~Lock() { released++; }
};

static double divide(double a, double b) {
  if (b == 0.0) throw std::runtime_error("division by zero");
  return a / b;
}

static double fraction(const double *c, int n, double x) {
  Lock lock;
  double value = c[n - 1];
  try {
    for (int i = n - 2; i >= 0; i--) value = c[i] + divide(x, value);
  } catch (const std::runtime_error &) {
    released += 100;
    throw;
  }
  return value;
}

static double outer(const double *c, int n, double x) {
  try {
    return std::sqrt(fraction(c, n, x));
  } catch (...) {
    return 0.0;
  }
}

int main() {
  double c[4] = {1.0, 2.0, 3.0, 4.0}, dc[4] = {0};
  double dx = __enzyme_autodiff<double>((void *)outer, enzyme_dup, c, dc, enzyme_const, 4, enzyme_out, 0.75);
  return dx != 0.0 && dc[3] != 0.0 && released > 0 && released < 100 ? 0 : 1;
}
