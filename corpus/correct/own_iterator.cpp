// An iterator of one's own over a strided matrix column, used by range for and by std::accumulate.
#include "adj.h"
#include <cstdio>
#include <iterator>
#include <numeric>

struct Strided {
  using iterator_category = std::forward_iterator_tag;
  using value_type = double;
  using difference_type = long;
  using pointer = const double *;
  using reference = const double &;
  const double *base;
  long step, row;
  reference operator*() const { return base[row * step]; }
  Strided &operator++() {
    ++row;
    return *this;
  }
  bool operator!=(const Strided &o) const { return row != o.row; }
  bool operator==(const Strided &o) const { return row == o.row; }
};

struct Column {
  const double *first;
  long rows, step;
  Strided begin() const { return {first, step, 0}; }
  Strided end() const { return {first, step, rows}; }
};

static double run(const double *a) {
  double product = 1.0;
  for (int j = 0; j < 3; j++) {
    Column c{a + j, 4, 3};
    double sum = 0.0;
    for (double v : c)
      sum += v * v;
    product *= sum + std::accumulate(c.begin(), c.end(), 1.0);
  }
  return product;
}

int main() {
  double a[12], da[12] = {0};
  for (int i = 0; i < 12; i++)
    a[i] = 0.1 * i - 0.45;
  __enzyme_autodiff<double>((void *)run, enzyme_dup, a, da);
  for (double d : da)
    std::printf("%.17g\n", d);
  return 0;
}
