// A math library of the program's own, in templates and a namespace, whose functions are declared to be like those of libm.
#include "adj.h"
#include <cmath>

namespace fast {
static double log(double x) {
  int e;
  double m = std::frexp(x, &e);
  return std::log(m) + e * 0.69314718055994531;
}
static double cube_root(double x) {
  double y = x;
  for (int i = 0; i < 60; i++) y -= (y * y * y - x) / (3.0 * y * y);
  return y;
}
} // namespace fast

void *__enzyme_function_like_log[2] = {(void *)fast::log, (void *)"log"};
void *__enzyme_function_like_cbrt[2] = {(void *)fast::cube_root, (void *)"cbrt"};

template <typename T> struct Mean {
  T geometric(const T *x, int n) const {
    T s = 0;
    for (int i = 0; i < n; i++) s += fast::log(x[i]);
    return std::exp(s / n);
  }
  T cubic(const T *x, int n) const {
    T s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
    return fast::cube_root(s / n);
  }
};

static double both(const double *x, int n) {
  Mean<double> mean;
  return mean.geometric(x, n) + mean.cubic(x, n);
}

int main() {
  double x[3] = {0.6, 2.2, 3.5}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)both, enzyme_dup, x, dx, enzyme_const, 3);
  return dx[0] > 0.0 ? 0 : 1;
}
