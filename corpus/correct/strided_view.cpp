// Views of a matrix: rows, columns and blocks share memory, and one writes through them.
#include "adj.h"
#include <cstdio>

class View {
  double *p;
  int rows, cols, step;

public:
  View(double *p, int rows, int cols, int step) : p(p), rows(rows), cols(cols), step(step) {}
  double &operator()(int i, int j) const { return p[i * step + j]; }
  View block(int i, int j, int r, int c) const { return {p + i * step + j, r, c, step}; }
  View &operator+=(const View &o) {
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++)
        (*this)(i, j) += o(i, j) * o(i, j);
    return *this;
  }
  double sum() const {
    double s = 0.0;
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++)
        s += (*this)(i, j);
    return s;
  }
};

static double run(double *a) {
  View whole(a, 4, 4, 4);
  View upper = whole.block(0, 0, 2, 2), lower = whole.block(2, 2, 2, 2);
  lower += upper;
  whole.block(0, 2, 2, 2) += lower;
  return whole.sum() * whole(1, 3);
}

int main() {
  double a[16], da[16] = {0};
  for (int i = 0; i < 16; i++)
    a[i] = 0.1 * ((i * 5) % 9) - 0.3;
  __enzyme_autodiff<double>((void *)run, enzyme_dup, a, da);
  for (double d : da)
    std::printf("%.17g\n", d);
  return 0;
}
