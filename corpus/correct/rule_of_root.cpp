// The differentiated function itself has a registered gradient, a member template of a class among its callees has another.
#include "adj.h"
#include <cstdio>

namespace {
double cube(double x) { return x * x * x; }
double cube_forward(double x) { return x * x * x; }
double cube_reverse(double x, double adjoint) { return 3.0 * x * x * adjoint; }

template <int N> struct Power {
  static double of(double x) {
    double y = 1.0;
    for (int i = 0; i < N; i++)
      y *= x;
    return y;
  }
  static double forward(double x) { return of(x); }
  static double reverse(double x, double adjoint) { return N * Power<N - 1>::of(x) * adjoint; }
};

double sum(double x, double y) { return Power<5>::of(x) + Power<2>::of(y) * x; }
} // namespace

void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_forward, (void *)cube_reverse};
void *__enzyme_register_gradient_fifth[] = {(void *)Power<5>::of, (void *)Power<5>::forward, (void *)Power<5>::reverse};

struct Pair {
  double x, y;
};

int main() {
  std::printf("%.17g\n", __enzyme_autodiff<double>((void *)cube, 1.25));
  Pair p = __enzyme_autodiff<Pair>((void *)sum, 0.75, 1.5);
  std::printf("%.17g %.17g\n", p.x, p.y);
  return 0;
}
