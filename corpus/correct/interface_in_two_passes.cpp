// The C++ interface: the two passes of reverse mode apart, several tapes alive at a time.
#include <cstdio>
#include <enzyme/enzyme>

static double norm(const double *x, int n, double s) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += s * x[i] * x[i];
  return sum;
}
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

int main() {
  using namespace enzyme;
  using In = Duplicated<const double *>;
  using Out = Duplicated<double *>;
  double x[3] = {1, 2, 3}, dx[3] = {0};
  In in{x, dx};
  auto [forward, reverse] = autodiff<ReverseSplitWithPrimal>(norm, in, Const<int>{3}, Active<double>{2});
  auto [tape, value] = forward(in, Const<int>{3}, Active<double>{2});
  auto [other, larger] = forward(in, Const<int>{3}, Active<double>{4});
  auto [by] = reverse(in, Const<int>{3}, Active<double>{2}, 10.0, tape);
  std::printf("%g %g %g %g %g %g\n", value, larger, get<0>(by), dx[0], dx[1], dx[2]);
  auto [by_other] = reverse(in, Const<int>{3}, Active<double>{4}, 1.0, other);
  std::printf("%g %g %g %g\n", get<0>(by_other), dx[0], dx[1], dx[2]);

  double y[3], dy[3] = {1, 1, 1};
  auto passes = autodiff<ReverseSplitNoPrimal>(squares, in, Out{y, dy}, Const{3});
  auto [of_squares] = get<0>(passes)(in, Out{y, dy}, Const{3});
  get<1>(passes)(in, Out{y, dy}, Const{3}, of_squares);
  std::printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
