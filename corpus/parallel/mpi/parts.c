// Parts of an array are scattered, worked on, gathered, and exchanged all to all, in place and not.
// adj-ranks: 3
#include "differences.h"
#include <stdlib.h>
#define N 4

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *all = malloc(sizeof(double) * n * size), *other = malloc(sizeof(double) * n * size), part[N], sum = 0;
  for (int i = 0; i < n * size; i++) all[i] = other[i] = 1;
  MPI_Gather(x, n, MPI_DOUBLE, all, n, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) all[i] = all[i] * all[i] * (i + 1) / 8;
  MPI_Scatter(all, n, MPI_DOUBLE, part, n, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += part[i] * x[i];
  MPI_Allgather(part, n, MPI_DOUBLE, other, n, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) sum += (rank + 1) * sin(other[i]) * x[i % n];
  MPI_Alltoall(other, n, MPI_DOUBLE, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) all[i] *= all[i] / 8;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) sum += cos(all[i]) * (rank + i);
  for (int i = 0; i < n; i++) all[rank * n + i] = x[i] * x[i];
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) sum += all[i] * x[0] * (rank + 1);
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : part, n, MPI_DOUBLE, all, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) sum += all[i] * all[i];
  MPI_Scatter(all, n, MPI_DOUBLE, rank == 0 ? MPI_IN_PLACE : part, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += part[i] * all[i];
  free(all);
  free(other);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[N], d[N] = {0};
  for (int i = 0; i < N; i++) x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, x, d, enzyme_const, N);
  int bad = differing(objective, x, d, N);
  MPI_Finalize();
  return bad != 0;
}
