// std::deque as a sliding window: pushed at one end, popped at the other, indexed between.
#include "adj.h"
#include <cstdio>
#include <deque>

static double run(const double *x, int n) {
  std::deque<double> window;
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    window.push_back(x[i]);
    if (window.size() > 3)
      window.pop_front();
    double mean = 0.0;
    for (std::size_t k = 0; k < window.size(); k++)
      mean += window[k];
    mean /= window.size();
    sum += mean * mean * (i + 1);
  }
  return sum + window.front() * window.back();
}

int main() {
  double x[8] = {0.1, 0.5, -0.3, 0.8, 1.2, -0.6, 0.4, 0.7}, dx[8] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, x, dx, enzyme_const, 8);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
