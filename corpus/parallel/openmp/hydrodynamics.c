// Hydrodynamics: forces of corners are gathered at nodes, and the step is the least that an element allows.
// adj-flags: -fopenmp
#include "differences.h"
#include "staggered.h"

static double f(const double *x, int n) {
  struct mesh mesh, *d = &mesh;
  struct numbers memory;
  double energy[ELEMENTS], sum = 0.0;
  for (int e = 0; e < n; e++) energy[e] = x[e];
  start_mesh(d, &memory, energy, 0);
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    double least = 1e30;
#pragma omp parallel for
    for (int e = 0; e < ELEMENTS; e++) element_forces(d, e);
#pragma omp parallel for
    for (int k = 0; k < NODES; k++) node_force(d, k);
#pragma omp parallel for reduction(min : least)
    for (int e = 0; e < ELEMENTS; e++) least = fmin(least, d->limit[e]);
    d->dt = fmin(least, 1.5 * d->dt);
#pragma omp parallel for
    for (int k = 0; k < NODES; k++) move_node(d, k, d->dt);
#pragma omp parallel for
    for (int e = 0; e < ELEMENTS; e++) element_energy(d, e, d->dt);
  }
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < NODES; k++) sum += motion_of(d, k);
  return sum;
}

int main(void) {
  double x[ELEMENTS], dx[ELEMENTS];
  start(x, dx, ELEMENTS);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, ELEMENTS);
  return differing(f, x, dx, ELEMENTS);
}
