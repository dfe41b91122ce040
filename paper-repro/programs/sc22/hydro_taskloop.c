/* Hydrodynamics, with loops of tasks over elements and nodes. The size is the number of elements along an edge of
 * the cube. */
#include "hydro.h"

static void find_forces(struct domain *d) {
#pragma omp taskloop
  for (int e = 0; e < d->elements; e++) element_forces(d, e);
#pragma omp taskloop
  for (int n = 0; n < d->nodes; n++) node_force(d, n);
}

static void move(struct domain *d) {
#pragma omp taskloop
  for (int n = 0; n < d->nodes; n++) move_node(d, n, d->dt);
#pragma omp taskloop
  for (int e = 0; e < d->elements; e++) element_energy(d, e, d->dt);
}

static void find_step(struct domain *d) {
  double least = 1.1 * d->dt;
  for (int e = 0; e < d->elements; e++) least = fmin(least, d->limit[e]);
  d->dt = least;
}

static double blast(struct domain *d, int cycles) {
  double sum = 0.0;
#pragma omp parallel
#pragma omp single
  {
    for (int cycle = 0; cycle < cycles; cycle++) {
      find_forces(d);
      find_step(d);
      move(d);
    }
    for (int n = 0; n < d->nodes; n++) sum += motion_of(d, n);
  }
  return sum;
}

THREADS_MAIN
