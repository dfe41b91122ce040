// C++: parameters by reference, overloads, default arguments and a namespace-scope constant.
#include "adj.h"
#include <cmath>
#include <cstdio>

namespace model {
constexpr double gas = 8.314;

static double rate(double a, double energy, double temperature = 350.0) {
  return a * std::exp(-energy / (gas * temperature));
}
static void rate(const double *p, double &forward, double &backward) {
  forward = rate(p[0], p[1]);
  backward = rate(p[2], p[3], 360.0);
}
} // namespace model

static void react(double &a, double &b, const double *p) {
  double forward, backward;
  model::rate(p, forward, backward);
  for (int i = 0; i < 10; i++) {
    double flux = 0.1 * (forward * a - backward * b);
    a -= flux;
    b += flux;
  }
}

int main() {
  double a = 1.0, b = 0.3, da = 1.0, db = 0.0;
  double p[4] = {30.0, 9000.0, 20.0, 10000.0}, dp[4] = {0, 0, 0, 0};
  __enzyme_autodiff<void>((void *)react, enzyme_dup, &a, &da, enzyme_dup, &b, &db, enzyme_dup, p, dp);
  std::printf("%.15g %.15g %.15g %.15g\n", a, b, da, db);
  for (double d : dp)
    std::printf("%.15g\n", d);
  return 0;
}
