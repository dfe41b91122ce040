// `std::call_once`: the library calls what it finds in variables of its own.
// adj-exit: 3
// adj-flags: -pthread
// adj-message: gets the address of one that works on active memory
#include "adj.h"
#include <cstdio>
#include <mutex>

static double f(const double *x) {
  double y = 0;
  std::once_flag once;
  std::call_once(once, [&] { y = x[0] * x[0]; });
  return y;
}

int main() {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx);
  std::printf("%g\n", dx[0]);
}
