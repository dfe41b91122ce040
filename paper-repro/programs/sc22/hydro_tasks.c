/* Hydrodynamics, with a task for each block of elements or nodes. The size is the number of elements along an edge
 * of the cube. */
#include "hydro.h"

enum { BLOCK = 256 };

static int end_of(int first, int count) { return first + BLOCK < count ? first + BLOCK : count; }

static void find_forces(struct domain *d) {
#pragma omp taskgroup
  for (int first = 0; first < d->elements; first += BLOCK) {
#pragma omp task firstprivate(first)
    for (int e = first; e < end_of(first, d->elements); e++) element_forces(d, e);
  }
#pragma omp taskgroup
  for (int first = 0; first < d->nodes; first += BLOCK) {
#pragma omp task firstprivate(first)
    for (int n = first; n < end_of(first, d->nodes); n++) node_force(d, n);
  }
}

static void move(struct domain *d) {
  const double dt = d->dt;
#pragma omp taskgroup
  for (int first = 0; first < d->nodes; first += BLOCK) {
#pragma omp task firstprivate(first)
    for (int n = first; n < end_of(first, d->nodes); n++) move_node(d, n, dt);
  }
#pragma omp taskgroup
  for (int first = 0; first < d->elements; first += BLOCK) {
#pragma omp task firstprivate(first)
    for (int e = first; e < end_of(first, d->elements); e++) element_energy(d, e, dt);
  }
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
