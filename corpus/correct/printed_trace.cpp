// A function that prints what it computes on the way, to streams that it is given and to those of the program.
#include "adj.h"
#include <iomanip>
#include <iostream>
#include <vector>

struct solver {
  double damping;
  bool verbose;
};

static double step(const solver &s, double x, double target) {
  double next = x - s.damping * (x * x - target);
  if (s.verbose)
    std::cout << "step " << std::setprecision(17) << x << " -> " << next << std::endl;
  return next;
}

static double root(const solver *s, const double *targets, int n) {
  std::vector<double> found;
  for (int i = 0; i < n; i++) {
    double x = 1.0;
    for (int k = 0; k < 6; k++)
      x = step(*s, x, targets[i]);
    found.push_back(x);
    if (x < 0.0)
      std::cerr << "target " << i << " of " << n << " at " << &targets[i] << '\n';
  }
  double sum = 0.0;
  for (double x : found)
    sum += x * x * x;
  return sum;
}

int main() {
  double targets[3] = {0.75, 1.25, 1.5}, dtargets[3] = {};
  solver s = {0.375, false}, ds = {0.0, false};
  __enzyme_autodiff<void>((void *)root, enzyme_dup, &s, &ds, enzyme_dup, targets, dtargets, enzyme_const, 3);
  std::cout << std::setprecision(17) << ds.damping << " " << dtargets[0] << " " << dtargets[2] << "\n";
  return 0;
}
