/* Hydrodynamics, with elements and nodes shared out among threads; without -fopenmp, in series. With -DHYDRO_MPI
 * each process has layers of the cube, and the processes add up the forces of the nodes between them. The size is
 * the number of elements along an edge of the cube. */
#include "hydro.h"

#ifdef HYDRO_MPI
/* Adds the forces that the neighbours have found for the nodes of the lowest and the highest plane. */
static void add_forces_of_neighbours(struct domain *d) {
  const int plane = d->plane;
  MPI_Request sending[2], receiving[2];
  const int below = d->rank > 0 ? d->rank - 1 : MPI_PROC_NULL;
  const int above = d->rank + 1 < d->ranks ? d->rank + 1 : MPI_PROC_NULL;
  const int others[2] = {below, above};
  const int starts[2] = {0, d->nodes - plane};
  for (int side = 0; side < 2; side++) {
    if (others[side] == MPI_PROC_NULL) continue;
    MPI_Irecv(d->received[side], 3 * plane, MPI_DOUBLE, others[side], 1, MPI_COMM_WORLD, &receiving[side]);
    for (int i = 0; i < plane; i++) {
      d->sent[side][i] = d->fx[starts[side] + i];
      d->sent[side][plane + i] = d->fy[starts[side] + i];
      d->sent[side][2 * plane + i] = d->fz[starts[side] + i];
    }
    MPI_Isend(d->sent[side], 3 * plane, MPI_DOUBLE, others[side], 1, MPI_COMM_WORLD, &sending[side]);
  }
  for (int side = 0; side < 2; side++) {
    if (others[side] == MPI_PROC_NULL) continue;
    MPI_Wait(&receiving[side], MPI_STATUS_IGNORE);
    MPI_Wait(&sending[side], MPI_STATUS_IGNORE);
    for (int i = 0; i < plane; i++) {
      d->fx[starts[side] + i] += d->received[side][i];
      d->fy[starts[side] + i] += d->received[side][plane + i];
      d->fz[starts[side] + i] += d->received[side][2 * plane + i];
    }
  }
}
#endif

static void find_forces(struct domain *d) {
  const int elements = d->elements, nodes = d->nodes;
#pragma omp parallel for
  for (int e = 0; e < elements; e++) element_forces(d, e);
#pragma omp parallel for
  for (int n = 0; n < nodes; n++) node_force(d, n);
#ifdef HYDRO_MPI
  add_forces_of_neighbours(d);
#endif
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
  double least = 1e30;
#pragma omp parallel for reduction(min : least)
  for (int e = 0; e < elements; e++) least = fmin(least, d->limit[e]);
#ifdef HYDRO_MPI
  const double mine = least;
  MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
#endif
  d->dt = fmin(least, 1.1 * d->dt);
}

/* A node between two processes is counted by the lower one. */
static double motion(struct domain *d) {
  const int first = d->rank > 0 ? d->plane : 0, nodes = d->nodes;
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int n = first; n < nodes; n++) sum += motion_of(d, n);
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
