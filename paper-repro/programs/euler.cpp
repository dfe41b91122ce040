// Euler's method over a generic stepper library. The size is the number of steps.
#include "lorenz.hpp"

static double solve(const state &x0, const parameters &p) {
  state x = x0;
  ode::integrate_const(ode::euler<state>(), lorenz{p}, x, 0.0, dt, steps);
  return x[0] + x[1] + x[2];
}

static double bench_primal(void) { return solve(start, constants); }

#ifdef BENCH_OVERLOADED
static void bench_gradient(void) { overloaded_gradient(start.data(), constants.data(), dt, steps, result); }
#else
static void bench_gradient(void) {
  state dx = {};
  parameters dp = {};
  __enzyme_autodiff<void>((void *)solve, enzyme_dup, &start, &dx, enzyme_dup, &constants, &dp);
  keep(dx, dp);
}
#endif

// The adjoint by hand: the states are kept, and the steps reversed.
static void bench_hand(void) {
  state *kept = (state *)malloc(sizeof(state) * (size_t)steps);
  state x = start, dxdt, dx = {1.0, 1.0, 1.0};
  parameters dp = {};
  lorenz system = {constants};
  for (long i = 0; i < steps; i++) {
    kept[i] = x;
    system(x, dxdt, dt * (double)i);
    for (int j = 0; j < 3; j++) x[j] += dt * dxdt[j];
  }
  for (long i = steps - 1; i >= 0; i--) {
    state dy = {dt * dx[0], dt * dx[1], dt * dx[2]};
    lorenz_adjoint(constants, dp, kept[i], dx, dt * (double)i, dy);
  }
  free(kept);
  keep(dx, dp);
}

BENCH_MAIN
