// A small reactor model with units that may fail.
#include "adj.h"
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
class Unit { public: virtual ~Unit() = default; virtual double step(double t, double x) = 0; };
class Heater : public Unit { double rate; public: explicit Heater(double r) : rate(r) {} double step(double t, double x) override { double y = x + rate * std::exp(-t); if (y > 5.0) throw std::overflow_error("too hot"); return y; } };
class Cooler : public Unit { double k; public: explicit Cooler(double k) : k(k) {} double step(double, double x) override { if (k * x > 3.0) throw std::range_error("too steep"); return x - 0.1 * k * x; } };
static double simulate(const double *p, int n) {
  std::vector<std::unique_ptr<Unit>> units;
  units.push_back(std::make_unique<Heater>(p[0]));
  units.push_back(std::make_unique<Cooler>(p[1]));
  units.push_back(std::make_unique<Heater>(p[2]));
  double x = p[3];
  int failures = 0;
  for (int t = 0; t < n; t++) {
    for (auto &u : units) {
      try { x = u->step(0.1 * t, x); }
      catch (const std::overflow_error &e) { failures++; x *= 0.5; std::cerr << "overflow: " << e.what() << "\n"; }
      catch (const std::runtime_error &e) { failures++; x = std::sqrt(x); std::cerr << e.what() << '\n'; }
    }
  }
  return x + 0.01 * failures;
}
int main() {
  double p[4] = {1.5, 1.2, 0.7, 2.0}, dp[4] = {0};
  __enzyme_autodiff<void>((void *)simulate, enzyme_dup, p, dp, enzyme_const, 8);
  for (double d : dp) std::cout << d << "\n";
}
