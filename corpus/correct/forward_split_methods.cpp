// Tangents alone in C++: a template returns the tangent of a function that works with classes by value and a table of constants.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <array>
#include <cmath>
#include <cstdio>

template <class R, class... A> R __enzyme_fwdsplit(void *, A...);

struct Complex {
  double re, im;
  Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
  double norm() const { return std::sqrt(re * re + im * im); }
};

static const std::array<double, 4> weights{0.5, -1.5, 0.25, 2.0};

static double response(double frequency, double damping) {
  Complex z{std::cos(frequency) * damping, std::sin(frequency) * damping}, power{1.0, 0.0}, sum{0.0, 0.0};
  for (double w : weights) {
    sum = sum + Complex{w, 0.0} * power;
    power = power * z;
  }
  return sum.norm();
}

int main() {
  double one = __enzyme_fwdsplit<double>((void *)response, enzyme_dup, 0.6, 1.0, enzyme_const, 0.9, nullptr);
  double both = __enzyme_fwdsplit<double>((void *)response, enzyme_dup, 0.6, 0.5, enzyme_dup, 0.9, -1.0, nullptr);
  std::printf("%.12g %.12g\n", one, both);
  return 0;
}
