// The C++ interface: structures and containers by value and by reference, as arguments and as results.
//
// adj-flags: -std=c++20
#include <array>
#include <cmath>
#include <cstdio>
#include <enzyme/enzyme>
#include <span>
#include <vector>

struct Pair {
  double x, y;
};
struct Triple {
  double x, y, z;
};

static double cubic(Pair p) { return p.x * p.x * p.x + 5 * p.y * p.y; }
static double volume(Triple t) { return t.x * t.x * t.y * t.z; }
static Pair turned(Pair p) { return {p.y * p.y, p.x}; }
static Triple around(double a) { return {std::sin(a), std::cos(a), a * a}; }
static double norm(std::span<const double> s) {
  double sum = 0;
  for (double x : s)
    sum += x * x;
  return sum;
}
static double weighted(const std::vector<double> &v, double by) {
  double sum = 0;
  for (double x : v)
    sum += by * x * x;
  return sum;
}
static std::vector<double> squares(const std::vector<double> &v) {
  std::vector<double> out;
  for (double x : v)
    out.push_back(x * x);
  return out;
}
static double mixed(std::array<double, 4> a, double s) { return s * (a[0] + a[1] * a[2] + a[3]); }

int main() {
  using namespace enzyme;
  auto [one] = autodiff<Forward>(cubic, Duplicated{Pair{2, 3}, Pair{7, 50}});
  auto [two] = autodiff<Reverse>(cubic, Active{Pair{2, 3}});
  std::printf("%g %g %g\n", one, get<0>(two).x, get<0>(two).y);
  auto [three] = autodiff<Forward>(volume, Duplicated{Triple{2, 3, 4}, Triple{1, 10, 100}});
  auto [four] = autodiff<Forward>(turned, Duplicated{Pair{2, 3}, Pair{7, 50}});
  std::printf("%g %g %g\n", three, four.x, four.y);
  auto [value, five] = autodiff<ForwardWithPrimal>(turned, Duplicated{Pair{2, 3}, Pair{7, 50}});
  std::printf("%g %g %g %g\n", value.x, value.y, five.x, five.y);
  auto [six] = autodiff<Forward>(around, Duplicated{1.0, 2.0});
  std::printf("%.3g %.3g %g\n", six.x, six.y, six.z);
  auto [at, seven] = autodiff<Forward, Duplicated<Triple>>(around, Duplicated{1.0, 2.0});
  std::printf("%.3g %.3g %g %.3g %.3g %g\n", at.x, at.y, at.z, seven.x, seven.y, seven.z);
  auto [eight] =
      autodiff<Forward>(mixed, Duplicated{std::array<double, 4>{1, 2, 3, 4}, std::array<double, 4>{1, 1, 1, 1}}, Const{2.0});
  std::printf("%g\n", eight);

  std::vector<double> v{1, 2, 3}, dv(3), tangents{1, 10, 100};
  autodiff<Reverse>(norm, Duplicated<std::span<const double>>{v, dv});
  std::printf("%g %g %g\n", dv[0], dv[1], dv[2]);
  auto [by] = autodiff<Reverse>(weighted, Duplicated<const std::vector<double> &>{v, dv}, Active{2.0});
  std::printf("%g %g %g %g\n", dv[0], dv[1], dv[2], get<0>(by));
  auto [nine] = autodiff<Forward>(squares, Duplicated<const std::vector<double> &>{v, tangents});
  std::printf("%g %g %g\n", nine[0], nine[1], nine[2]);
  return 0;
}
