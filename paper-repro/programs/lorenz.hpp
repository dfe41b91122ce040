// The system of both integrators: Lorenz's equations with parameters, forced in time (Lorenz, "Deterministic Nonperiodic Flow", 1963).
// The gradient is that of the sum of the final state with respect to the initial state and the parameters.
#ifndef LORENZ_HPP
#define LORENZ_HPP

#include "adj.h"
#include "bench.h"
#include "ode.hpp"

typedef std::array<double, 3> state;
typedef std::array<double, 4> parameters;

struct lorenz {
  const parameters &p;

  void operator()(const state &x, state &dxdt, double t) const {
    dxdt[0] = p[0] * (x[1] - x[0]) + p[3] * t;
    dxdt[1] = x[0] * (p[1] - x[2]) - x[1];
    dxdt[2] = x[0] * x[1] - p[2] * x[2];
  }
};

// The transpose of the system's Jacobian at x times dy, added to dx and dp.
static inline void lorenz_adjoint(const parameters &p, parameters &dp, const state &x, state &dx, double t,
                                  const state &dy) {
  dp[0] += dy[0] * (x[1] - x[0]);
  dp[1] += dy[1] * x[0];
  dp[2] -= dy[2] * x[2];
  dp[3] += dy[0] * t;
  dx[0] += -p[0] * dy[0] + (p[1] - x[2]) * dy[1] + x[1] * dy[2];
  dx[1] += p[0] * dy[0] - dy[1] + x[0] * dy[2];
  dx[2] += -x[0] * dy[1] - p[2] * dy[2];
}

static long steps;
static double dt;
static state start;
static parameters constants;
static double result[7];

static void bench_setup(long size) {
  steps = size;
  dt = 1.0 / (double)size;
  start = {1.0, 0.5, 0.25};
  constants = {10.0, 28.0, 8.0 / 3.0, 0.1};
}

#ifdef BENCH_OVERLOADED
// In overloaded/euler.cpp and overloaded/rk4.cpp.
extern "C" void overloaded_gradient(const double *x0, const double *p, double dt, long steps, double *gradient);
#endif

static const double *bench_result(long *n) {
  *n = 7;
  return result;
}

static void keep(const state &dx, const parameters &dp) {
  for (int i = 0; i < 3; i++) result[i] = dx[i];
  for (int i = 0; i < 4; i++) result[3 + i] = dp[i];
}

#endif
