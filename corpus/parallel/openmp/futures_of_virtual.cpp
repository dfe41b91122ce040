// Threads call virtual functions of objects that others own.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <future>
#include <memory>
#include <vector>

enum { N = 8 };

struct Model {
  virtual ~Model() {
  }
  virtual double eval(double) const = 0;
};
struct Quad : Model {
  double a;
  Quad(double a) : a(a) {
  }
  double eval(double t) const override {
    return a * t * t;
  }
};
struct Lin : Model {
  double b;
  Lin(double b) : b(b) {
  }
  double eval(double t) const override {
    return b * t + 1;
  }
};
static double f(const double *x, int n) {
  std::unique_ptr<Model> ms[] = {std::make_unique<Quad>(x[0]), std::make_unique<Lin>(x[1])};
  std::vector<std::future<double>> fs;
  for (auto &m : ms)
    for (int i = 2; i < n; i += 3)
      fs.push_back(std::async(std::launch::async, [&m, x, i] { return m->eval(x[i]); }));
  double s = 1;
  for (auto &g : fs)
    s *= g.get();
  return s;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
