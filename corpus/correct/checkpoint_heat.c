// A loop with checkpoints over time steps that work in place: Burgers' equation by an explicit scheme, each cell from new and old
// neighbours. Between the loop and the result the state is overwritten, and the parameters too: the snapshots do not care.
#define ADJ_CHECKPOINTS
#include "adj.h"
#include <stdio.h>
#include <string.h>

#define CELLS 12

struct medium {
  double viscosity, speed[CELLS];
};

static void sweep(long t, void *state, const void *parameters) {
  const struct medium *m = parameters;
  double *u = state;
  double left = u[CELLS - 1];
  for (int i = 0; i < CELLS; i++) {
    double right = u[(i + 1) % CELLS], here = u[i];
    double flux = m->speed[i] * here * (right - left) * 0.5;
    u[i] = here + 0.05 * (m->viscosity * (left - 2.0 * here + right) - flux);
    // Every third step sweeps with the new value on its left.
    left = t % 3 == 0 ? u[i] : here;
  }
}

static double energy(const double *start, double viscosity, const double *speed, long steps) {
  struct medium m;
  double u[CELLS], sum = 0.0;
  m.viscosity = viscosity;
  memcpy(m.speed, speed, sizeof m.speed);
  memcpy(u, start, sizeof u);
  __enzyme_checkpoint_for(sweep, 1, steps + 1, ADJ_REVOLVE, 3, u, sizeof u, &m, sizeof m);
  m.viscosity = 7.0;
  for (int i = 0; i < CELLS; i++) {
    sum += u[i] * u[i] * speed[i];
    u[i] = sum * m.viscosity;
  }
  return sum + 0.01 * u[CELLS - 1];
}

int main(void) {
  double start[CELLS], dstart[CELLS] = {0}, speed[CELLS], dspeed[CELLS] = {0};
  for (int i = 0; i < CELLS; i++) {
    start[i] = i < 5 ? 1.0 + 0.1 * i : 0.3;
    speed[i] = 1.0 - 0.05 * i;
  }
  double dviscosity = __enzyme_autodiff((void *)energy, enzyme_dup, start, dstart, enzyme_out, 0.4, enzyme_dup, speed, dspeed,
                                        enzyme_const, 20L);
  printf("%.12g\n", dviscosity);
  for (int i = 0; i < CELLS; i++)
    printf("%.12g %.12g\n", dstart[i], dspeed[i]);
  return 0;
}
