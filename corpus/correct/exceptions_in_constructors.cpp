// Constructors that throw, members that were constructed before, and a function-try-block that throws another type.
#include "adj.h"
#include <cmath>
#include <cstdio>
static double ledger;
struct Part { double v; explicit Part(double v) : v(v) { if (v > 2.0) throw v; } ~Part() {} };
struct Whole {
  Part a, b; double *sum;
  Whole(double x, double y, double *s) try : a(x), b(y), sum(s) { *sum += a.v * b.v; } catch (double v) { *s += 10.0 * v; throw v * v; }
  ~Whole() { *sum -= 0.5 * a.v; }
};
static double f(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    try { Whole w(x[i], x[i + 1], &sum); sum *= 1.1; }
    catch (double v) { sum += std::cos(v); }
  }
  return sum;
}
int main() {
  double x[5] = {1.0, 0.5, 2.5, 1.5, 1.25}, dx[5] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  for (double d : dx) std::printf("%.12g\n", d);
}
