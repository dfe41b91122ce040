// Exceptions through algorithms and callbacks: std::for_each, std::transform, an integrator that aborts on an event.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <vector>
#include <functional>
#include <algorithm>
struct Event { double time; std::vector<double> state; };
using Rhs = std::function<void(double, const std::vector<double> &, std::vector<double> &)>;
static std::vector<double> integrate(const Rhs &rhs, std::vector<double> y, double h, int n, const std::function<void(double, const std::vector<double> &)> &monitor) {
  std::vector<double> k(y.size());
  double t = 0;
  for (int i = 0; i < n; i++) {
    rhs(t, y, k);
    for (size_t j = 0; j < y.size(); j++) y[j] += h * k[j];
    t += h;
    monitor(t, y);
  }
  return y;
}
static double f(const double *p) {
  Rhs rhs = [p](double, const std::vector<double> &y, std::vector<double> &k) { k[0] = y[1]; k[1] = -p[0] * std::sin(y[0]) - p[1] * y[1]; };
  try {
    auto y = integrate(rhs, {p[2], 0.0}, 0.05, 60, [](double t, const std::vector<double> &y) { if (y[0] < 0.0) throw Event{t, y}; });
    return y[0];
  } catch (const Event &e) {
    return e.time - e.state[0] / e.state[1];
  }
}
int main() {
  double p[3] = {2.0, 0.3, 1.0}, dp[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, p, dp);
  for (double d : dp) std::printf("%.12g\n", d);
}
