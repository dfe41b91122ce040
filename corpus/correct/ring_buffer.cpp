// A class template with a static capacity: a ring buffer that a filter reads with delay.
#include "adj.h"
#include <cstddef>
#include <cstdio>

template <class T, std::size_t N> class Ring {
  T data[N] = {};
  std::size_t head = 0;

public:
  void push(const T &v) {
    data[head] = v;
    head = (head + 1) % N;
  }
  const T &delayed(std::size_t by) const { return data[(head + N - 1 - by) % N]; }
};

static double filter(const double *x, int n) {
  Ring<double, 4> in, out;
  double energy = 0.0;
  for (int i = 0; i < n; i++) {
    in.push(x[i]);
    double y = 0.4 * in.delayed(0) + 0.3 * in.delayed(2) - 0.2 * out.delayed(1) * out.delayed(0);
    out.push(y);
    energy += y * y;
  }
  return energy;
}

int main() {
  double x[7] = {1.0, -0.5, 0.3, 0.8, -0.9, 0.2, 0.6}, dx[7] = {0};
  __enzyme_autodiff<double>((void *)filter, enzyme_dup, x, dx, enzyme_const, 7);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
