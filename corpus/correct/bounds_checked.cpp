// Every access is checked, and what fails ends the program or throws: std::vector::at, a view with a check of its own, and indices that
// are read from a table.
#include "adj.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

class View {
  double *data;
  long rows, columns;

public:
  View(double *data, long rows, long columns) : data(data), rows(rows), columns(columns) {}
  double &operator()(long i, long j) const {
    if (i < 0 || i >= rows || j < 0 || j >= columns) {
      std::fprintf(stderr, "(%ld, %ld) is outside of %ld by %ld\n", i, j, rows, columns);
      std::abort();
    }
    return data[i * columns + j];
  }
};

static double smooth(double *cells, const int *order, int n, int rounds) {
  View grid(cells, n, n);
  std::vector<double> sums(n);
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < n * n; k++) {
      int i = order[k] / n, j = order[k] % n;
      double here = grid(i, j);
      double mean = i > 0 && j + 1 < n ? 0.5 * (grid(i - 1, j) + grid(i, j + 1)) : here;
      grid(i, j) = here + 0.3 * (mean - here) * here;
      sums.at(j) += grid(i, j) * grid(j, i);
    }
  double result = 1.0;
  for (int j = 0; j < n; j++)
    result *= 1.0 + 0.01 * sums.at(n - 1 - j);
  return result;
}

int main() {
  double x[9], dx[9] = {0};
  int order[9];
  for (int i = 0; i < 9; i++) {
    x[i] = 0.2 + 0.1 * ((5 * i) % 9);
    order[i] = (4 * i) % 9;
  }
  __enzyme_autodiff<void>((void *)smooth, enzyme_dup, x, dx, enzyme_const, order, enzyme_const, 3, enzyme_const, 3);
  for (double d : dx)
    std::printf("%.15g\n", d);
  return 0;
}
