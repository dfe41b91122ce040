/* Hydrodynamics, with elements and nodes shared out among threads; without -fopenmp, in series. The size is the number of elements
 * along an edge of the cube. */
#include "hydro.h"

static void find_forces(struct domain *d) {
  const int elements = d->elements, nodes = d->nodes;
#pragma omp parallel for
  for (int e = 0; e < elements; e++) element_forces(d, e);
#pragma omp parallel for
  for (int n = 0; n < nodes; n++) node_force(d, n);
}

static void move(struct domain *d) {
  const int elements = d->elements, nodes = d->nodes;
  const double dt = d->dt;
#pragma omp parallel for
  for (int n = 0; n < nodes; n++) move_node(d, n, dt);
#pragma omp parallel for
  for (int e = 0; e < elements; e++) element_energy(d, e, dt);
}

static void find_step(struct domain *d) {
  const int elements = d->elements;
  double least = 1.1 * d->dt;
#pragma omp parallel for reduction(min : least)
  for (int e = 0; e < elements; e++) least = fmin(least, d->limit[e]);
  d->dt = least;
}

static double motion(struct domain *d) {
  const int nodes = d->nodes;
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int n = 0; n < nodes; n++) sum += motion_of(d, n);
  return sum;
}

static double blast(struct domain *d, int cycles) {
  for (int cycle = 0; cycle < cycles; cycle++) {
    find_forces(d);
    find_step(d);
    move(d);
  }
  return motion(d);
}

THREADS_MAIN
