// catch (std::exception &) of classes of the program with an overridden what().
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <exception>
struct Error : std::exception { double v; explicit Error(double v) : v(v) {} const char *what() const noexcept override { return "error"; } };
struct Fatal : Error { using Error::Error; const char *what() const noexcept override { return "fatal"; } };
static double g(double x) { if (x > 4) throw Fatal(x * x); if (x > 2) throw Error(x); return x * x * x; }
static void report(const std::exception &e, double &s) { s += e.what()[0] == 'f' ? 1.0 : 2.0; }
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    try { s += g(x[i]); }
    catch (const Error &e) { s += e.v * e.what()[0]; report(e, s); }
  }
  for (int i = 0; i < n; i++) {
    try { s += g(x[i] + 1.0); }
    catch (const std::exception &e) { s += e.what()[0] * x[i]; }
  }
  return s;
}
int main() {
  double x[3] = {0.9, 2.5, 5.0}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
