// The Brusselator for a tool with its own number type: the formulas of ../bruss.c.
#include "tool.hpp"

static double forcing(double x, double y, double t) {
  return (x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6) <= 0.01 && t >= 1.1 ? 5.0 : 0.0;
}

template <typename T>
static void brusselator(T *rate, const T *state, const T *param, double t, int n) {
  const T *v = state + n * n;
  double h = 1.0 / (n - 1);
  T a = param[0], b = param[1], alpha = param[2] / (h * h) * 1e-3;
  for (int i = 0; i < n; i++) {
    int up = i + 1 == n ? 0 : i + 1, down = i == 0 ? n - 1 : i - 1;
    for (int j = 0; j < n; j++) {
      int right = j + 1 == n ? 0 : j + 1, left = j == 0 ? n - 1 : j - 1;
      const T &x = state[i * n + j], &y = v[i * n + j];
      T lx = state[up * n + j] + state[down * n + j] + state[i * n + right] + state[i * n + left] - 4.0 * x;
      T ly = v[up * n + j] + v[down * n + j] + v[i * n + right] + v[i * n + left] - 4.0 * y;
      rate[i * n + j] = b + x * x * y - (a + 1.0) * x + alpha * lx + forcing(i * h, j * h, t);
      rate[n * n + i * n + j] = a * x - x * x * y + alpha * ly;
    }
  }
}

// The transpose of the Jacobian times `seed`: of the state, then of the parameters.
extern "C" void overloaded_gradient(const double *state, const double *param, double t, int n, const double *seed,
                                    double *dstate, double *dparam) {
  Recording recording;
  std::size_t cells = 2 * (std::size_t)n * (std::size_t)n;
  std::vector<Real> x(cells), rate(cells);
  Real p[3];
  for (std::size_t i = 0; i < cells; i++) recording.input(x[i], state[i]);
  for (int i = 0; i < 3; i++) recording.input(p[i], param[i]);
  brusselator(rate.data(), x.data(), p, t, n);
  for (Real &y : rate) recording.output(y);
  std::vector<double> gradient(cells + 3);
  double *to = gradient.data();
  recording.reverse(1, &seed, &to);
  for (std::size_t i = 0; i < cells; i++) dstate[i] = gradient[i];
  for (int i = 0; i < 3; i++) dparam[i] = gradient[cells + i];
}
