// An exception of the program with a string and an active number.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
struct Error : std::exception {
  std::string text;
  double at;
  Error(const std::string &text, double at) : text(text), at(at) {}
  const char *what() const noexcept override { return text.c_str(); }
};
static double root(double v, int i) {
  if (v < 0) throw Error("negative: " + std::to_string(i), v);
  return std::sqrt(v);
}
static double f(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    try {
      sum += root(x[i], i);
    } catch (const Error &e) {
      std::fprintf(stderr, "%s\n", e.what());
      if (e.text.size() > 3) sum += e.at * e.at;
    }
  }
  return sum;
}
int main() {
  double x[3] = {1.5, -0.7, 2.25}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
