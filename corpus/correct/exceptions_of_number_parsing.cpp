// Input parsing with std::stod; a bad number is skipped.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
static double f(const double *w, int n) {
  const char *fields[] = {"1.5", "abc", "2.25", "", "4"};
  double s = 0;
  for (int i = 0; i < n; i++) {
    try { s += w[i] * w[i] * std::stod(fields[i]); }
    catch (const std::invalid_argument &) { s += w[i]; }
  }
  return s;
}
int main() {
  double w[5] = {1, 2, 3, 4, 5}, dw[5] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, w, dw, enzyme_const, 5);
  for (double d : dw) std::printf("%.12g\n", d);
}
