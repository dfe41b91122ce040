// The same with loops whose bodies are closures.
// adj-flags: -std=c++17 -fopenmp
#include "differences.h"
#include "staggered.h"
#include <algorithm>

template <typename Body> static void forall(int count, Body &&body) {
#pragma omp parallel for
  for (int i = 0; i < count; i++) body(i);
}

template <typename Body> static double least_of(int count, Body &&body) {
  double least = 1e30;
#pragma omp parallel for reduction(min : least)
  for (int i = 0; i < count; i++) least = std::min(least, body(i));
  return least;
}

template <typename Body> static double sum_of(int count, Body &&body) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < count; i++) sum += body(i);
  return sum;
}

static double f(const double *x, int n) {
  mesh of, *d = &of;
  numbers memory;
  double energy[ELEMENTS];
  std::copy(x, x + n, energy);
  start_mesh(d, &memory, energy, 0);
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    forall(ELEMENTS, [=](int e) { element_forces(d, e); });
    forall(NODES, [=](int k) { node_force(d, k); });
    d->dt = std::min(least_of(ELEMENTS, [=](int e) { return d->limit[e]; }), 1.5 * d->dt);
    const double dt = d->dt;
    forall(NODES, [=](int k) { move_node(d, k, dt); });
    forall(ELEMENTS, [=](int e) { element_energy(d, e, dt); });
  }
  return sum_of(NODES, [=](int k) { return motion_of(d, k); });
}

int main(void) {
  double x[ELEMENTS], dx[ELEMENTS];
  start(x, dx, ELEMENTS);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)ELEMENTS);
  return differing(f, x, dx, ELEMENTS);
}
