// Functions composed at run time: std::function that capture std::function.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <functional>

using Map = std::function<double(double)>;

static Map compose(Map f, Map g) {
  return [f, g](double x) { return f(g(x)); };
}

static Map scaled(double a) {
  return [a](double x) { return a * x; };
}

static double run(double a, double b) {
  Map f = scaled(a), g = [b](double x) { return std::sin(b * x); };
  Map h = compose(f, g);
  if (a > 0.0)
    f = g;
  std::swap(f, g);
  return h(0.9) + f(1.1) * g(0.4);
}

struct Both {
  double a, b;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 1.3, enzyme_out, 0.6);
  std::printf("%.17g %.17g\n", g.a, g.b);
  return 0;
}
