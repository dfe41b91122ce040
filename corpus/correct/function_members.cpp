// std::function as members of a class and as arguments: lambdas that capture by value, by reference, nothing, and too much for the buffer.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <functional>

class Spring {
  std::function<double(double)> force;
  double mass;

public:
  Spring(std::function<double(double)> f, double m) : force(std::move(f)), mass(m) {}
  double energy(double x) const { return force(x) * x + 0.5 * mass * x * x; }
};

static double apply(const std::function<double(double)> &f, double x) { return f(f(x)); }

static double run(double k, double m) {
  double damping = 0.1 * k;
  Spring linear([k](double x) { return k * x; }, m);
  Spring cubic([k, m](double x) { return k * x + m * x * x * x; }, m * 2.0);
  double a = k + 1.0, b = m - 1.0, c = k * m;
  Spring large([a, b, c](double x) { return a * x + b * std::sin(x) + c; }, k);
  double sum = linear.energy(0.7) + cubic.energy(0.3) + large.energy(1.1);
  sum += apply([&damping](double x) { return damping * x + 1.0; }, m);
  sum += apply([](double x) { return std::cos(x); }, k);
  return sum;
}

struct Both {
  double k, m;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 1.3, enzyme_out, 0.6);
  std::printf("%.17g %.17g\n", g.k, g.m);
  return 0;
}
