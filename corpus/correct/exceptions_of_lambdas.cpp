// std::function and lambdas that throw; noexcept; exceptions used to leave nested loops.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <functional>
static double apply(const std::function<double(double)> &g, double x) { return g(x) + 1.0; }
static double safe(double x) noexcept { try { if (x > 1) throw 1; return x; } catch (int) { return 1.0 / x; } }
static double f(double x) {
  double s = 0;
  try {
    for (int i = 1; i < 10; i++)
      for (int j = 1; j < 10; j++) { s += x / (i * j); if (s > 2.0) throw s; }
  } catch (double t) { s = t * t; }
  try { s += apply([=](double v) -> double { if (v > 0.5) throw v * s; return v; }, x); } catch (double t) { s -= std::sin(t); }
  return s * safe(x) + safe(x + 1.0);
}
int main() {
  std::printf("%.15g\n", __enzyme_autodiff<double>((void *)f, enzyme_out, 0.7));
  std::printf("%.15g\n", __enzyme_fwddiff<double>((void *)f, enzyme_dup, 0.3, 1.0));
}
