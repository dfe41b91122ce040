// std::initializer_list: a polynomial from a braced list, std::max and std::min of lists.
#include "adj.h"
#include <algorithm>
#include <cstdio>
#include <initializer_list>

static double polynomial(std::initializer_list<double> c, double x) {
  double sum = 0.0;
  for (auto it = c.end(); it != c.begin();)
    sum = sum * x + *--it;
  return sum;
}

static double run(double a, double b) {
  double most = std::max({a * b, a + b, a - b});
  double least = std::min({a, b, a * a});
  return polynomial({a, b, most, least * a}, 0.7 * b) + polynomial({1.0, most}, a);
}

struct Both {
  double a, b;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 1.4, enzyme_out, 0.6);
  std::printf("%.17g %.17g\n", g.a, g.b);
  return 0;
}
