// Threads execute member functions of objects, with arguments.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <thread>
#include <vector>

enum { N = 8 };

class Part {
public:
  Part(const double *x, int from, int to) : x(x), from(from), to(to) {
  }
  void add() {
    for (int i = from; i < to; i++)
      sum += std::sin(x[i]) * x[i];
  }
  void scale(double by, int times) {
    for (int i = 0; i < times; i++)
      sum *= by;
  }
  double sum = 0;

private:
  const double *x;
  int from, to;
};

static double f(const double *x, int n) {
  Part low(x, 0, n / 2), high(x, n / 2, n);
  std::thread one(&Part::add, &low), two(&Part::add, &high);
  one.join();
  two.join();
  std::thread scales(&Part::scale, &low, 1.5, 2);
  high.scale(0.5, 1);
  scales.join();
  return low.sum * high.sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
