// Exceptions that are never thrown, on the paths that are taken: checked access, a guard that frees, a catch that gives a default.
#include "adj.h"
#include <cmath>
#include <stdexcept>
#include <vector>

static double safe_log(double x) {
  if (x <= 0.0) throw std::domain_error("log of a number that is not positive");
  return std::log(x);
}

struct Guard {
  double *memory;
  explicit Guard(int n) : memory(new double[n]) {}
  ~Guard() { delete[] memory; }
};

static double entropy(const std::vector<double> *p, int n) {
  Guard scratch(n);
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    scratch.memory[i] = p->at(i) * p->at(i);
    total += scratch.memory[i];
  }
  double h = 0.0;
  for (int i = 0; i < n; i++) {
    double q = scratch.memory[i] / total;
    h -= q * safe_log(q);
  }
  return h;
}

int main() {
  std::vector<double> p = {0.5, 1.0, 2.0}, dp(3, 0.0);
  __enzyme_autodiff<void>((void *)entropy, enzyme_dup, &p, &dp, enzyme_const, 3);
  return dp[0] != 0.0 ? 0 : 1;
}
