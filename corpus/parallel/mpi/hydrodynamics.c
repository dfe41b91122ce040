// Hydrodynamics in layers: ranks add up the forces of the nodes between them, and the step
// is the least that an element of any rank allows.
// adj-ranks: 3
#define LAYERS 2
#include "../openmp/staggered.h"
#include "differences.h"

static void add_forces_of_neighbours(struct mesh *d, int rank, int size) {
  double sent[2][2 * WIDE], received[2][2 * WIDE];
  MPI_Request requests[4];
  int count = 0;
  for (int side = 0; side < 2; side++) {
    const int other = side ? rank + 1 : rank - 1, from = side ? NODES - WIDE : 0;
    if (other < 0 || other >= size) continue;
    for (int i = 0; i < WIDE; i++) {
      sent[side][i] = d->fx[from + i];
      sent[side][WIDE + i] = d->fy[from + i];
    }
    MPI_Irecv(received[side], 2 * WIDE, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(sent[side], 2 * WIDE, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int side = 0; side < 2; side++) {
    const int other = side ? rank + 1 : rank - 1, from = side ? NODES - WIDE : 0;
    if (other < 0 || other >= size) continue;
    for (int i = 0; i < WIDE; i++) {
      d->fx[from + i] += received[side][i];
      d->fy[from + i] += received[side][WIDE + i];
    }
  }
}

static double objective(double *x, int n) {
  struct mesh mesh, *d = &mesh;
  struct numbers memory;
  double energy[ELEMENTS], sum = 0.0;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int e = 0; e < n; e++) energy[e] = x[e];
  start_mesh(d, &memory, energy, rank * LAYERS);
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    double mine = 1e30, least;
    for (int e = 0; e < ELEMENTS; e++) element_forces(d, e);
    for (int k = 0; k < NODES; k++) node_force(d, k);
    add_forces_of_neighbours(d, rank, size);
    for (int e = 0; e < ELEMENTS; e++) mine = fmin(mine, d->limit[e]);
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    d->dt = fmin(least, 1.5 * d->dt);
    for (int k = 0; k < NODES; k++) move_node(d, k, d->dt);
    for (int e = 0; e < ELEMENTS; e++) element_energy(d, e, d->dt);
  }
  /* A node between two ranks counts once. */
  for (int k = rank > 0 ? WIDE : 0; k < NODES; k++) sum += motion_of(d, k);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[ELEMENTS], dx[ELEMENTS] = {0};
  for (int e = 0; e < ELEMENTS; e++) x[e] = 0.5 + 0.21 * rank + 0.13 * e;
  __enzyme_autodiff((void *)objective, enzyme_dup, x, dx, enzyme_const, ELEMENTS);
  const int bad = differing(objective, x, dx, ELEMENTS);
  MPI_Finalize();
  return bad != 0;
}
