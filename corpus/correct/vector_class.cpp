// C++: a small owning vector class (new/delete), operators by reference and a template function.
#include "adj.h"
#include <cstdio>

class Vector {
public:
  explicit Vector(int size) : size_(size), data_(new double[size]) {
    for (int i = 0; i < size_; i++)
      data_[i] = 0.0;
  }
  Vector(const Vector &other) : size_(other.size_), data_(new double[other.size_]) {
    for (int i = 0; i < size_; i++)
      data_[i] = other.data_[i];
  }
  Vector &operator=(const Vector &) = delete;
  ~Vector() { delete[] data_; }
  double &operator[](int i) { return data_[i]; }
  const double &operator[](int i) const { return data_[i]; }
  int size() const { return size_; }

private:
  int size_;
  double *data_;
};

template <typename T> static double dot(const T &a, const T &b) {
  double sum = 0.0;
  for (int i = 0; i < a.size(); i++)
    sum += a[i] * b[i];
  return sum;
}

static double objective(const Vector *x) {
  Vector y(*x);
  for (int i = 1; i < y.size(); i++)
    y[i] += 0.5 * y[i - 1] * y[i];
  return dot(y, *x);
}

int main() {
  Vector x(6), dx(6);
  for (int i = 0; i < 6; i++)
    x[i] = 0.4 * i - 0.7;
  std::printf("%.17g\n", objective(&x));
  __enzyme_autodiff<void>((void *)objective, enzyme_dup, &x, &dx);
  for (int i = 0; i < 6; i++)
    std::printf("%.17g\n", dx[i]);
  return 0;
}
