// A sparse Jacobian, row by row: tangents that are read from a function and stored by a function. The entries are those
// that are not zero whatever the input is: the first number is zero here. A loop that the optimiser has unrolled before
// would store an entry more than once.
//
// adj-passes: before-differentiation
#include "adj.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

template <class Pointer> Pointer __enzyme_todense(void *, ...) noexcept;

struct Entry {
  std::size_t row, column;
  double value;
};

template <class Number> static void prefix_sums(std::size_t n, Number *in, Number *out) {
  for (std::size_t i = 0; i < n; i++) {
    out[i] = 0;
    for (std::size_t j = 0; j <= i; j++)
      out[i] += in[j] * in[j];
  }
}

static void unit_store(double, int64_t, std::size_t) { std::abort(); }

static double unit_load(int64_t at, std::size_t column) { return at / (int64_t)sizeof(double) == (int64_t)column; }

static void entry_store(double value, int64_t at, std::size_t column, std::vector<Entry> &entries) {
  if (value == 0.0)
    return;
  entries.push_back({at / sizeof(double), column, value});
}

static double entry_load(int64_t, std::size_t) { return 0; }

__attribute__((noinline)) static std::vector<Entry> jacobian(std::size_t n, double *x, double *y) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < n; i++) {
    double *dx = __enzyme_todense<double *>((void *)unit_load, (void *)unit_store, i);
    double *dy = __enzyme_todense<double *>((void *)entry_load, (void *)entry_store, i, &entries);
    __enzyme_fwddiff<void>((void *)prefix_sums<double>, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);
  }
  return entries;
}

int main() {
  const std::size_t n = 5;
  double x[n], y[n];
  for (std::size_t i = 0; i < n; i++)
    x[i] = i;
  std::vector<Entry> entries = jacobian(n, x, y);
  if (entries.size() != n * (n + 1) / 2)
    return 1;
  auto entry = entries.begin();
  for (std::size_t column = 0; column < n; column++)
    for (std::size_t row = column; row < n; row++, ++entry)
      if (entry->row != row || entry->column != column || entry->value != 2.0 * column)
        return 1;
  return 0;
}
