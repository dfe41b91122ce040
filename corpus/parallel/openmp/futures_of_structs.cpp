// A future of a pair of numbers; a class asks for it.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <cmath>
#include <future>
#include <utility>

enum { N = 8 };

struct Moments {
  double mean, square;
};

class Statistics {
public:
  Statistics(const double *x, int n) : x(x), n(n) {
  }
  Moments moments(int from, int to) const {
    Moments found = {0, 0};
    for (int i = from; i < to; i++) {
      found.mean += x[i];
      found.square += x[i] * x[i];
    }
    return found;
  }
  double variance() const {
    std::future<Moments> lower = std::async(std::launch::async, &Statistics::moments, this, 0, n / 2);
    Moments upper = moments(n / 2, n), other = lower.get();
    double mean = (upper.mean + other.mean) / n;
    return (upper.square + other.square) / n - mean * mean;
  }

private:
  const double *x;
  int n;
};

static double f(const double *x, int n) {
  return Statistics(x, n).variance();
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
