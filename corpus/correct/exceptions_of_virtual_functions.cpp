// Virtual functions that throw; int codes; catch (...).
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>
struct Shape { virtual double area(double x) const = 0; virtual ~Shape() {} };
struct Square : Shape { double area(double x) const override { if (x < 0) throw 1; return x * x; } };
struct Disc : Shape { double area(double x) const override { if (x < 0) throw 2; if (x > 3) throw "too large"; return 3.14 * x * x; } };
static double f(const double *x, int n) {
  Square q; Disc d;
  const Shape *shapes[2] = {&q, &d};
  double s = 0;
  for (int i = 0; i < n; i++) {
    try { s += shapes[i % 2]->area(x[i]); }
    catch (int code) { s += code * x[i] * x[i] * x[i]; }
    catch (...) { s += std::sqrt(x[i]); }
  }
  return s;
}
int main() {
  double x[6] = {1.0, 2.0, -1.5, -0.5, 0.25, 4.0}, dx[6] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 6);
  for (double d : dx) std::printf("%.12g\n", d);
}
