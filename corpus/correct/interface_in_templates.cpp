// The C++ interface within templates, classes and lambdas: arguments that are made elsewhere, Newton's method, a second
// derivative.
#include <array>
#include <cmath>
#include <cstdio>
#include <enzyme/enzyme>
#include <tuple>
#include <vector>

template <int n>
struct Tensor {
  double v[n][n];
};

template <int n>
static Tensor<n> scaled_product(double s, const Tensor<n> &a, const Tensor<n> &b) {
  Tensor<n> r{};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        r.v[i][j] += s * a.v[i][k] * b.v[k][j];
  return r;
}

template <class Kernel, class Values, class Tangents, std::size_t... i>
static auto along(Kernel kernel, Values &values, Tangents &tangents, std::index_sequence<i...>) {
  auto arguments = std::make_tuple(
      enzyme::Duplicated<std::tuple_element_t<i, Values> *>(&std::get<i>(values), &std::get<i>(tangents))...);
  return std::apply(
      [&](auto &&...a) {
        return enzyme::get<0>(enzyme::autodiff<enzyme::Forward, enzyme::DuplicatedNoNeed<Tensor<2>>>(+kernel, a...));
      },
      arguments);
}

struct Config {
  double rate;
  std::vector<double> knots;
};
static double price(const double *x, int n, const Config &c) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += std::exp(-c.rate * i) * x[i] * x[i] * c.knots[i];
  return sum;
}

struct Context {
  double scale, work[3];
};
static double residual(double *x, double *f, void *context) {
  auto *c = static_cast<Context *>(context);
  for (int i = 0; i < 3; i++) {
    c->work[i] = x[i] * c->scale;
    f[i] = c->work[i] * c->work[i];
  }
  return f[0];
}

class Model {
public:
  explicit Model(int n) : weights(n, 0.5) {}
  double loss(const std::vector<double> &x) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); i++)
      sum += std::tanh(weights[i] * x[i]);
    return sum * sum;
  }
  std::vector<double> gradient(const std::vector<double> &x) const {
    std::vector<double> dx(x.size());
    enzyme::autodiff<enzyme::Reverse>([this](const std::vector<double> &v) { return loss(v); },
                                      enzyme::Duplicated<const std::vector<double> &>{x, dx});
    return dx;
  }

private:
  std::vector<double> weights;
};

template <class F>
static double newton(F f, double x) {
  for (int i = 0; i < 8; i++) {
    auto [value, slope] = enzyme::autodiff<enzyme::ForwardWithPrimal>(f, enzyme::Duplicated<double>{x, 1.0});
    x -= value / slope;
  }
  return x;
}

template <class F>
static double second(F f, double x) {
  auto slope = [f](double y) {
    return enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(f, enzyme::Duplicated<double>{y, 1.0}));
  };
  return enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(slope, enzyme::Duplicated<double>{x, 1.0}));
}

static double quartic(double x) { return x * x * x * x - 5; }

int main() {
  auto kernel = [](Tensor<2> *u, Tensor<2> *j, double *w) { return scaled_product(*w, *u, *j); };
  auto values = std::make_tuple(Tensor<2>{{{1, 2}, {3, 4}}}, Tensor<2>{{{2, 1}, {1, 3}}}, 2.0);
  auto tangents = std::make_tuple(Tensor<2>{{{1, 0}, {0, 1}}}, Tensor<2>{}, 1.0);
  auto t = along(kernel, values, tangents, std::make_index_sequence<3>());
  std::printf("%g %g %g %g\n", t.v[0][0], t.v[0][1], t.v[1][0], t.v[1][1]);

  std::vector<double> x{1, 2, 3}, dx(3);
  Config config{0.1, {1, 2, 3}};
  const enzyme::Duplicated<const double *> data{x.data(), dx.data()};
  enzyme::autodiff<enzyme::Reverse>(price, data, enzyme::Const{3}, enzyme::Const<const Config &>{config});
  std::printf("%.6g %.6g %.6g\n", dx[0], dx[1], dx[2]);

  double z[3] = {1, 2, 3}, dz[3] = {1, 1, 1}, f[3], df[3];
  Context context{2, {}}, shadow{};
  (void)enzyme::autodiff<enzyme::Forward, enzyme::Const<double>>(
      residual, enzyme::Duplicated<double *>{z, dz}, enzyme::Duplicated<double *>{f, df},
      enzyme::Duplicated<void *>{static_cast<void *>(&context), static_cast<void *>(&shadow)});
  std::printf("%g %g %g\n", df[0], df[1], df[2]);

  std::vector<double> g = Model(3).gradient(x);
  std::printf("%.6g %.6g %.6g\n", g[0], g[1], g[2]);
  std::printf("%.10g %.10g\n", newton(quartic, 2.0), newton([](double y) { return y * y - 2; }, 1.0));
  std::printf("%.10g\n", second([](double y) { return quartic(y); }, 2.0));
  return 0;
}
