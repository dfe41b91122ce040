// Bases and enumerations; several inheritance; catch by a second base.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <exception>
enum class Code { low = 1, high = 2 };
struct Tagged { int tag; explicit Tagged(int t) : tag(t) {} virtual ~Tagged() {} };
struct Valued { double v; explicit Valued(double v) : v(v) {} virtual double get() const { return v; } virtual ~Valued() {} };
struct Both : Tagged, Valued { Both(int t, double v) : Tagged(t), Valued(v) {} double get() const override { return 2.0 * v; } };
static double g(double x, int k) {
  switch (k) {
  case 0: throw Code::low;
  case 1: throw Both(3, x * x);
  case 2: throw Valued(std::exp(x));
  default: return x;
  }
}
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    try { s += g(x[i], i); }
    catch (Code c) { s += static_cast<int>(c) * x[i]; }
    catch (const Tagged &t) { s += t.tag * x[i] * x[i]; }
    catch (const Valued &v) { s += v.get(); }
  }
  return s;
}
int main() {
  double x[4] = {1.0, 0.5, 0.25, 1.5}, dx[4] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx) std::printf("%.12g\n", d);
}
