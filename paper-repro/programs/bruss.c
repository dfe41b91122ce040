/* The Brusselator with diffusion on the unit square, periodic, by finite differences (the right-hand side of the system of
 * Prigogine and Lefever 1968 that is used to compare solvers of ordinary differential equations):
 *
 *   du/dt = B + u^2 v - (A + 1) u + alpha laplace(u) + f(x, y, t)
 *   dv/dt = A u - u^2 v + alpha laplace(v)
 *
 * The gradient is the transpose of the Jacobian of the right-hand side, with respect to u, v and the parameters, times a given
 * vector. The size is the number of points along a side. */
#include "adj.h"
#include "bench.h"

static int N;
static double *u, *rates, *du, *drates, *seed;
static double p[3] = {3.4, 1.0, 10.0}, dp[3];

static double forcing(double x, double y, double t) {
  return (x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6) <= 0.01 && t >= 1.1 ? 5.0 : 0.0;
}

/* u and v are two grids of n * n, one after the other. */
static void brusselator(double *rate, const double *state, const double *param, double t, int n) {
  const double *v = state + n * n;
  double a = param[0], b = param[1], h = 1.0 / (n - 1), alpha = param[2] / (h * h) * 1e-3;
  for (int i = 0; i < n; i++) {
    int up = i + 1 == n ? 0 : i + 1, down = i == 0 ? n - 1 : i - 1;
    for (int j = 0; j < n; j++) {
      int right = j + 1 == n ? 0 : j + 1, left = j == 0 ? n - 1 : j - 1;
      double x = state[i * n + j], y = v[i * n + j];
      double lx = state[up * n + j] + state[down * n + j] + state[i * n + right] + state[i * n + left] - 4.0 * x;
      double ly = v[up * n + j] + v[down * n + j] + v[i * n + right] + v[i * n + left] - 4.0 * y;
      rate[i * n + j] = b + x * x * y - (a + 1.0) * x + alpha * lx + forcing(i * h, j * h, t);
      rate[n * n + i * n + j] = a * x - x * x * y + alpha * ly;
    }
  }
}

/* The adjoint by hand, which overwrites du and clears nothing: the stencil is symmetric, so each adjoint is gathered. */
static void brusselator_adjoint(const double *drate, const double *state, double *dstate, const double *param,
                                double *dparam, int n) {
  const double *v = state + n * n, *dry = drate + n * n;
  double *dv = dstate + n * n;
  double a = param[0], h = 1.0 / (n - 1), factor = 1e-3 / (h * h), alpha = param[2] * factor;
  double da = 0.0, db = 0.0, dalpha = 0.0;
  for (int i = 0; i < n; i++) {
    int up = i + 1 == n ? 0 : i + 1, down = i == 0 ? n - 1 : i - 1;
    for (int j = 0; j < n; j++) {
      int right = j + 1 == n ? 0 : j + 1, left = j == 0 ? n - 1 : j - 1;
      double x = state[i * n + j], y = v[i * n + j], gx = drate[i * n + j], gy = dry[i * n + j];
      double lx = drate[up * n + j] + drate[down * n + j] + drate[i * n + right] + drate[i * n + left] - 4.0 * gx;
      double ly = dry[up * n + j] + dry[down * n + j] + dry[i * n + right] + dry[i * n + left] - 4.0 * gy;
      dstate[i * n + j] = (gx - gy) * 2.0 * x * y - (a + 1.0) * gx + a * gy + alpha * lx;
      dv[i * n + j] = (gx - gy) * x * x + alpha * ly;
      da += x * (gy - gx);
      db += gx;
      /* <g, laplace(u)> = <laplace(g), u> */
      dalpha += lx * x + ly * y;
    }
  }
  dparam[0] = da;
  dparam[1] = db;
  dparam[2] = dalpha * factor;
}

static void bench_setup(long size) {
  N = (int)size;
  long n = 2 * size * size;
  u = bench_array(n);
  du = bench_array(n);
  rates = bench_array(n);
  drates = bench_array(n);
  seed = bench_array(n);
  bench_fill(u, n, 1.0);
  bench_fill(seed, n, 1.0);
}

static double bench_primal(void) {
  brusselator(rates, u, p, 1.5, N);
  return rates[0];
}

#ifdef BENCH_OVERLOADED
/* In overloaded/bruss.cpp. */
void overloaded_gradient(const double *state, const double *param, double t, int n, const double *weights, double *dstate,
                         double *dparam);

static void bench_gradient(void) { overloaded_gradient(u, p, 1.5, N, seed, du, dp); }
#else
static void bench_gradient(void) {
  long n = 2L * N * N;
  memset(du, 0, sizeof(double) * (size_t)n);
  memset(dp, 0, sizeof(dp));
  memcpy(drates, seed, sizeof(double) * (size_t)n);
  __enzyme_autodiff((void *)brusselator, enzyme_dup, rates, drates, enzyme_dup, u, du, enzyme_dup, p, dp,
                    enzyme_const, 1.5, enzyme_const, N);
}
#endif

static void bench_hand(void) {
  long n = 2L * N * N;
  brusselator(rates, u, p, 1.5, N);
  memcpy(drates, seed, sizeof(double) * (size_t)n);
  brusselator_adjoint(drates, u, du, p, dp, N);
  memset(drates, 0, sizeof(double) * (size_t)n);
}

static const double *bench_result(long *n) {
  *n = 2L * N * N + 3;
  double *all = bench_array(*n);
  memcpy(all, du, sizeof(double) * (size_t)(*n - 3));
  memcpy(all + *n - 3, dp, sizeof(dp));
  return all;
}

BENCH_MAIN
