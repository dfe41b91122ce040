// Function objects with state: std::for_each returns the one it used; std::generate fills with another; std::ref passes one by reference.
#include "adj.h"
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

struct Moments {
  double n = 0.0, mean = 0.0, m2 = 0.0;
  void operator()(double x) {
    n += 1.0;
    double delta = x - mean;
    mean += delta / n;
    m2 += delta * (x - mean);
  }
};

struct Recurrence {
  double a, b;
  double operator()() {
    double next = a * b - 0.3 * a;
    a = b;
    b = next;
    return next;
  }
};

static double run(double a, double b) {
  std::vector<double> v(6);
  std::generate(v.begin(), v.end(), Recurrence{a, b});
  Moments m = std::for_each(v.begin(), v.end(), Moments{});
  Moments other;
  std::for_each(v.begin(), v.begin() + 3, std::ref(other));
  return m.m2 / m.n + m.mean * other.mean + other.m2;
}

struct Both {
  double a, b;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.9, enzyme_out, 1.3);
  std::printf("%.17g %.17g\n", g.a, g.b);
  return 0;
}
