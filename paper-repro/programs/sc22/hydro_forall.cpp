// Hydrodynamics, with loops whose bodies are closures. The size is the number of elements along an edge of the cube.
#include "forall.hpp"
#include "hydro.h"

using Policy = Threads;

static double blast(struct domain *d, int cycles) {
  const Range elements = {0, d->elements}, nodes = {0, d->nodes};
  for (int cycle = 0; cycle < cycles; cycle++) {
    forall<Policy>(elements, [=](int e) { element_forces(d, e); });
    forall<Policy>(nodes, [=](int n) { node_force(d, n); });
    d->dt = forall_min<Policy>(elements, 1.1 * d->dt, [=](int e) { return d->limit[e]; });
    const double dt = d->dt;
    forall<Policy>(nodes, [=](int n) { move_node(d, n, dt); });
    forall<Policy>(elements, [=](int e) { element_energy(d, e, dt); });
  }
  return forall_sum<Policy>(nodes, [=](int n) { return motion_of(d, n); });
}

THREADS_MAIN
