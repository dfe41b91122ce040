// Exceptions that are not thrown: try/catch around a loop, destructors on the way of an exception, a throw in a branch not taken.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

static double safe_log(double x) {
  if (x <= 0.0)
    throw std::domain_error("logarithm of a number that is not positive");
  return std::log(x);
}

struct Guard {
  int *open;
  explicit Guard(int *o) : open(o) { ++*open; }
  ~Guard() { --*open; }
};

static double entropy(const double *p, int n) {
  std::vector<double> terms;
  int open = 0;
  double sum = 0.0;
  try {
    Guard guard(&open);
    for (int i = 0; i < n; i++) {
      std::vector<double> pair(2, p[i]);
      pair[1] = safe_log(p[i]);
      terms.push_back(pair.at(0) * pair.at(1));
    }
  } catch (const std::domain_error &) {
    return -1.0;
  }
  for (double t : terms)
    sum -= t;
  return sum + open;
}

int main() {
  double p[4] = {0.1, 0.2, 0.3, 0.4}, dp[4] = {0};
  __enzyme_autodiff<double>((void *)entropy, enzyme_dup, p, dp, enzyme_const, 4);
  for (double d : dp)
    std::printf("%.17g\n", d);
  return 0;
}
