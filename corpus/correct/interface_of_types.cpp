// The C++ interface: modes, activities and results by types; functions, lambdas and function objects.
#include <cstdio>
#include <enzyme/enzyme>

#include "adj.h" // In either order.

static double square(double x) { return x * x; }
static double product(double x, double y) noexcept { return x * x * y; }
static float half(float x) { return x * x / 2; }
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
static int tripled(const double *x, double *y) {
  y[0] = 3 * x[0];
  return 2;
}
static double cubed(const double &x, double &out) {
  out = x * x * x;
  return out + x;
}

struct Scaled {
  double scale;
  double operator()(double x) const { return scale * x * x; }
  float operator()(float x) const { return 2 * x; }
};

int main() {
  using namespace enzyme;
  tuple<tuple<double>> one = autodiff<Reverse>(square, Active<double>(3.0));
  std::printf("%g\n", get<0>(get<0>(one)));
  auto [both, value] = autodiff<ReverseWithPrimal>(product, Active{3.0}, Active{5.0});
  auto [dx, dy] = both;
  std::printf("%g %g %g\n", dx, dy, value);
  auto [first] = autodiff<Reverse, Active<double>>(product, Active{3.0}, Const{5.0});
  std::printf("%g\n", get<0>(first));
  auto [small] = autodiff<Reverse>(half, Active{3.0f});
  std::printf("%g\n", get<0>(small));

  tuple<double> tangent = autodiff<Forward>(product, Duplicated{3.0, 1.0}, Const{5.0});
  tuple<double, double> with = autodiff<Forward, Duplicated<double>>(square, Duplicated<double>(3.0, 1.0));
  auto [again] = autodiff<Forward, DuplicatedNoNeed<double>>(square, Duplicated<double>(3.0, 2.0));
  auto [result, slope] = autodiff<ForwardWithPrimal>(square, Duplicated<double>(4.0, 1.0));
  std::printf("%g %g %g %g %g %g\n", get<0>(tangent), get<0>(with), get<1>(with), again, result, slope);

  double x[3] = {1, 2, 3}, dxs[3] = {0}, y[3], dys[3] = {1, 1, 1};
  autodiff<Reverse>(squares, Duplicated<const double *>{x, dxs}, Duplicated{y, dys}, Const{3});
  std::printf("%g %g %g\n", dxs[0], dxs[1], dxs[2]);
  dys[0] = 1;
  autodiff<Reverse>(tripled, Duplicated<const double *>{x, dxs}, DuplicatedNoNeed<double *>{y, dys});
  std::printf("%g\n", dxs[0]);

  double by = 2, dby = 0, out = 0, dout = 1;
  autodiff<Reverse>(cubed, Duplicated<const double &>{by, dby}, Duplicated<double &>{out, dout});
  std::printf("%g %g\n", dby, out);
  dout = 1;
  autodiff<Reverse, Const<double>>(cubed, Duplicated<const double &>{by, dby}, Duplicated<double &>{out, dout});
  std::printf("%g\n", dby);

  double scale = 7;
  auto [of_lambda] = autodiff<Reverse>([scale](double a) { return scale * a * a; }, Active{3.0});
  auto [of_generic] = autodiff<Reverse>([](auto a) { return a * a * a; }, Active{3.0});
  auto [of_plain] = autodiff<Reverse>(+[](double a) { return 2 * a * a; }, Active{3.0});
  auto [of_object] = autodiff<Reverse>(Scaled{4}, Active{3.0});
  auto [of_other] = autodiff<Reverse>(Scaled{4}, Active{3.0f});
  std::printf("%g %g %g %g %g\n", get<0>(of_lambda), get<0>(of_generic), get<0>(of_plain), get<0>(of_object),
              get<0>(of_other));
  return 0;
}
