// std::vector::at beyond the end, caught.
#include "adj.h"
#include <cstdio>
#include <stdexcept>
#include <vector>
static double f(const std::vector<double> *v, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    try {
      s += v->at(i) * v->at(i + 1);
    } catch (const std::out_of_range &) {
      s += 0.5 * v->back() * v->back();
    }
  }
  return s;
}
int main() {
  std::vector<double> x = {1.0, 2.0, 3.0}, dx(3, 0.0);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, &x, &dx, enzyme_const, 4);
  for (double d : dx) std::printf("%.12g\n", d);
}
