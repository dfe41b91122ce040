// The classical method of Runge and Kutta over a generic stepper library. The size is the number of steps.
#include "lorenz.hpp"

static double solve(const state &x0, const parameters &p) {
  state x = x0;
  ode::integrate_const(ode::runge_kutta4<state>(), lorenz{p}, x, 0.0, dt, steps);
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

// The adjoint by hand: the states at the steps are kept, the stages computed again.
static void bench_hand(void) {
  state *kept = (state *)malloc(sizeof(state) * (size_t)steps);
  state x = start, dx = {1.0, 1.0, 1.0};
  parameters dp = {};
  lorenz system = {constants};
  ode::runge_kutta4<state> stepper;
  for (long i = 0; i < steps; i++) {
    kept[i] = x;
    stepper.do_step(system, x, dt * (double)i, dt);
  }
  for (long i = steps - 1; i >= 0; i--) {
    const state &at = kept[i];
    double t = dt * (double)i, half = 0.5 * dt;
    state k, a1, a2, a3;
    system(at, k, t);
    for (int j = 0; j < 3; j++) a1[j] = at[j] + half * k[j];
    system(a1, k, t + half);
    for (int j = 0; j < 3; j++) a2[j] = at[j] + half * k[j];
    system(a2, k, t + half);
    for (int j = 0; j < 3; j++) a3[j] = at[j] + dt * k[j];
    state d1, d2, d3, d4, da;
    for (int j = 0; j < 3; j++) {
      d1[j] = d4[j] = dt / 6.0 * dx[j];
      d2[j] = d3[j] = dt / 3.0 * dx[j];
    }
    da = {};
    lorenz_adjoint(constants, dp, a3, da, t + dt, d4);
    for (int j = 0; j < 3; j++) {
      dx[j] += da[j];
      d3[j] += dt * da[j];
    }
    da = {};
    lorenz_adjoint(constants, dp, a2, da, t + half, d3);
    for (int j = 0; j < 3; j++) {
      dx[j] += da[j];
      d2[j] += half * da[j];
    }
    da = {};
    lorenz_adjoint(constants, dp, a1, da, t + half, d2);
    for (int j = 0; j < 3; j++) {
      dx[j] += da[j];
      d1[j] += half * da[j];
    }
    lorenz_adjoint(constants, dp, at, dx, t, d1);
  }
  free(kept);
  keep(dx, dp);
}

BENCH_MAIN
