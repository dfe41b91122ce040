// Tables made when compiled (constexpr std::array): Gauss-Legendre quadrature of an integrand given as a template parameter.
#include "adj.h"
#include <array>
#include <cmath>
#include <cstdio>

struct Rule {
  std::array<double, 3> at, weight;
};
static constexpr Rule gauss = {{-0.7745966692414834, 0.0, 0.7745966692414834},
                               {0.5555555555555556, 0.8888888888888888, 0.5555555555555556}};

template <class F> static double integrate(F f, double a, double b, int panels) {
  double sum = 0.0, h = (b - a) / panels;
  for (int k = 0; k < panels; k++)
    for (std::size_t i = 0; i < gauss.at.size(); i++)
      sum += gauss.weight[i] * f(a + h * (k + 0.5 + 0.5 * gauss.at[i]));
  return 0.5 * h * sum;
}

static double run(double a, double k) {
  double inner = integrate([k](double t) { return std::sin(k * t) * t; }, 0.0, a, 3);
  return integrate([inner, k](double t) { return std::exp(-inner * t * t) / (1.0 + k * t); }, -0.5, a, 2);
}

struct Both {
  double a, k;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 1.2, enzyme_out, 0.9);
  std::printf("%.17g %.17g\n", g.a, g.k);
  return 0;
}
