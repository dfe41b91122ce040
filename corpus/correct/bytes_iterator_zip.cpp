// Two iterators side by side in one block of bytes, as small buffers of type-erased iterators keep them.
#include "adj.h"
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <type_traits>

struct Zip {
  const double *a, *b;
  std::size_t left;
  bool next(double &product) {
    if (left == 0)
      return false;
    product = *a++ * *b++;
    left--;
    return true;
  }
};

class Erased {
  alignas(8) unsigned char bytes[32];

public:
  template <class T> explicit Erased(const T &value) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= sizeof bytes, "");
    std::memset(bytes, 0, sizeof bytes);
    std::memcpy(bytes, &value, sizeof value);
  }
  template <class T> T get() const {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
};

static double f(const double *x, std::size_t n) {
  Erased erased(Zip{x, x + n / 2, n / 2});
  Erased copy = erased;
  double sum = 0.0, product;
  for (;;) {
    Zip zip = copy.get<Zip>();
    if (!zip.next(product))
      break;
    sum += product;
    copy = Erased(zip);
  }
  return sum;
}

int main() {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)f, enzyme_dup, x, dx, enzyme_const, (std::size_t)4);
  std::printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
}
