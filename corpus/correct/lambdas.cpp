// C++: lambdas called directly, without and with captures, and a template that takes one.
#include "adj.h"
#include <cmath>
#include <cstdio>

template <typename F> static double trapezoid(F f, double a, double b, int n) {
  double h = (b - a) / n, sum = 0.5 * (f(a) + f(b));
  for (int i = 1; i < n; i++)
    sum += f(a + i * h);
  return sum * h;
}

static double integral(double k, double upper) {
  auto square = [](double x) { return x * x; };
  auto wave = [&](double x) { return std::sin(k * x) + 0.1 * square(x); };
  double scaled = k * upper;
  return trapezoid(wave, 0.0, upper, 16) + trapezoid([scaled](double x) { return scaled / (1.0 + x); }, 0.0, 1.0, 8);
}

struct Both {
  double a, b;
};

int main() {
  for (int i = 0; i < 3; i++) {
    double k = 0.9 + 0.4 * i;
    Both g = __enzyme_autodiff<Both>((void *)integral, enzyme_out, k, enzyme_out, 1.2);
    std::printf("%.17g %.17g %.17g\n", integral(k, 1.2), g.a, g.b);
  }
  return 0;
}
