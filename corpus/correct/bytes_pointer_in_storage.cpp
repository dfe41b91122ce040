// An object with a pointer is made in storage of bytes, and moved by its bytes.
#include "adj.h"
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>

struct View {
  const double *data;
  std::size_t size;
  double sum() const {
    double s = 0.0;
    for (std::size_t i = 0; i < size; i++)
      s += data[i] * data[i];
    return s;
  }
};

static double f(const double *x, std::size_t n) {
  alignas(View) unsigned char storage[sizeof(View)], moved[sizeof(View)];
  new (storage) View{x, n};
  std::memcpy(moved, storage, sizeof moved);
  return reinterpret_cast<View *>(moved)->sum();
}

int main() {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx, enzyme_const, (std::size_t)4);
  std::printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
}
