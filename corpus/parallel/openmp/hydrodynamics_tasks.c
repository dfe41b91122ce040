// The same with tasks over blocks of elements, and loops of tasks over nodes.
// adj-flags: -fopenmp
#include "differences.h"
#include "staggered.h"

static double f(const double *x, int n) {
  struct mesh mesh, *d = &mesh;
  struct numbers memory;
  double energy[ELEMENTS], sum = 0.0;
  for (int e = 0; e < n; e++) energy[e] = x[e];
  start_mesh(d, &memory, energy, 0);
#pragma omp parallel
#pragma omp single
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    double least = 1e30;
#pragma omp taskgroup
    for (int first = 0; first < ELEMENTS; first += 4) {
#pragma omp task firstprivate(first)
      for (int e = first; e < first + 4 && e < ELEMENTS; e++) element_forces(d, e);
    }
#pragma omp taskloop
    for (int k = 0; k < NODES; k++) node_force(d, k);
    for (int e = 0; e < ELEMENTS; e++) least = fmin(least, d->limit[e]);
    d->dt = fmin(least, 1.5 * d->dt);
#pragma omp taskloop grainsize(3)
    for (int k = 0; k < NODES; k++) move_node(d, k, d->dt);
    for (int e = 0; e < ELEMENTS; e++) {
#pragma omp task
      element_energy(d, e, d->dt);
    }
#pragma omp taskwait
  }
  for (int k = 0; k < NODES; k++) sum += motion_of(d, k);
  return sum;
}

int main(void) {
  double x[ELEMENTS], dx[ELEMENTS];
  start(x, dx, ELEMENTS);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, ELEMENTS);
  return differing(f, x, dx, ELEMENTS);
}
