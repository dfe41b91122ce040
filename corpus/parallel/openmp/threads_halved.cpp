// Threads of objects that can be called, and of functions with references; a function that is halved among threads
// until it is small.
// adj-flags: -std=c++17 -pthread
#include "differences.h"
#include <functional>
#include <memory>
#include <thread>
#include <vector>

enum { N = 12 };

struct Stride {
  const double *x;
  int n, first;
  double *out;
  void operator()() const {
    for (int i = first; i < n; i += 3)
      *out += x[i] * std::sin(x[i]);
  }
};

static void add(const double *x, int n, double &sum) {
  for (int i = 0; i < n; i++)
    sum += x[i];
}

static double halved(const double *x, int low, int high) {
  if (high - low < 4) {
    double sum = 0;
    add(x + low, high - low, sum);
    return sum * sum;
  }
  const int middle = (low + high) / 2;
  double one = 0;
  std::thread thread([&] { one = halved(x, low, middle); });
  const double other = halved(x, middle, high);
  thread.join();
  return one + other;
}

static double f(const double *x, int n) {
  double strides[3] = {0, 0, 0}, sum = 0;
  std::vector<std::unique_ptr<std::thread>> threads;
  for (int t = 0; t < 3; t++)
    threads.push_back(std::make_unique<std::thread>(Stride{x, n, t, &strides[t]}));
  std::thread adds(add, x, n, std::ref(sum));
  adds.join();
  for (auto &thread : threads)
    thread->join();
  return strides[0] * strides[1] * strides[2] + sum * halved(x, 0, n);
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
