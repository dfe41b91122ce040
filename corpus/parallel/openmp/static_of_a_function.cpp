// A static variable of a function, set by whoever calls first, with a number of the call: all threads that come later
// wait for that one, and in the reverse pass that one waits for them.
// adj-flags: -fopenmp
#include "differences.h"
#include <vector>

enum { N = 8 };

static const double *input;
static double scale;

static double scaled(double value) {
  static const std::vector<double> weights = [] {
    scale = input[0] * input[1];
    return std::vector<double>{1, 2, 3};
  }();
  return weights[1] * scale * value;
}

static double f(const double *x, int n) {
  double sum = 0;
  input = x;
#pragma omp parallel for reduction(+ : sum) schedule(static, 1)
  for (int i = 0; i < n; i++)
    sum += scaled(x[i] * x[i]);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  // Later calls do not set the variable again.
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] * x[i];
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    double right = 2 * (x[0] * x[1] * 2 * x[i] + (i < 2 ? x[1 - i] * sum : 0));
    wrong += !(fabs(dx[i] - right) < 1e-9);
  }
  return wrong;
}
