// A solver with options by name and a status text.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <string>
struct Result { double x; int iterations; std::string status; };
static Result newton(double a, const std::string &method) {
  Result r{1.0, 0, "running"};
  for (; r.iterations < 20; r.iterations++) {
    double d = (r.x * r.x - a) / (2 * r.x);
    r.x -= method == "damped" ? 0.9 * d : d;
    if (std::fabs(d) < 1e-12) { r.status = "converged"; break; }
  }
  return r;
}
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { Result r = newton(x[i], i ? "full" : "damped"); s += r.status == "converged" ? r.x : -r.x; }
  return s;
}
int main() {
  double x[3] = {0.7, 1.3, 0.2}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
