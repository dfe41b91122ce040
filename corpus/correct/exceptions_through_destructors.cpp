// Rethrown, through a function with a local object whose destructor adds to a sum, nested handlers.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
struct Tally {
  double *to; double weight;
  Tally(double *t, double w) : to(t), weight(w) {}
  ~Tally() { *to += weight * weight; }
};
static double inner(double x, double *sum) {
  Tally tally(sum, x);
  if (x > 1.0) throw std::overflow_error("large");
  if (x < -1.0) throw x * 3.0;
  return x * x;
}
static double middle(double x, double *sum) {
  try {
    Tally tally(sum, 2.0 * x);
    return inner(x, sum);
  } catch (const std::runtime_error &e) {
    *sum += std::exp(-x);
    throw;
  }
}
static double f(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    try {
      try {
        sum += middle(x[i], &sum);
      } catch (double v) {
        sum += std::sin(v);
        if (v < -6.0) throw std::domain_error("small");
      }
    } catch (const std::logic_error &) {
      sum *= x[i];
    } catch (const std::exception &e) {
      sum += x[i] * x[0];
    }
  }
  return sum;
}
int main() {
  double x[5] = {0.5, 1.5, -1.2, -2.5, 0.3}, dx[5] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  for (double d : dx) std::printf("%.12g\n", d);
}
