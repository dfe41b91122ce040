// A handler that throws another type, references that are returned by functions that throw, what is asked in a handler.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>

struct Grid {
  double cells[4];
  double &at(int i) {
    if (i < 0 || i >= 4) throw i;
    return cells[i];
  }
};

static double value(Grid &g, int i) {
  try {
    return g.at(i) * g.at(i + 1);
  } catch (int beyond) {
    if (beyond > 4) throw std::out_of_range("far beyond");
    throw 0.5 * g.at(0) * g.at(3);
  }
}

static double f(const double *x, int n) {
  Grid g;
  for (int i = 0; i < 4; i++) g.cells[i] = x[i] * x[i];
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    try {
      try {
        s += value(g, i);
      } catch (double half) {
        s -= half * half;
        throw std::sin(half);
      }
    } catch (...) {
      s += 2.0 * g.at(1);
    }
  }
  try {
    try {
      g.at(7) = 1.0;
    } catch (int i) {
      throw x[0] * i;
    }
  } catch (double seven) {
    s += seven;
  }
  return s;
}

int main() {
  double x[4] = {1.0, 0.5, 2.0, 1.5}, dx[4] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 6);
  for (double d : dx) std::printf("%.12g\n", d);
}
