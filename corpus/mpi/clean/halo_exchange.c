// 64 ranks relax a rod: each exchanges its edges with its neighbours, none at the ends.
// adj-ranks: 64
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double u[10], next[10];
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  for (int i = 0; i < 10; i++) u[i] = rank == 0 && i == 0;
  for (int step = 0; step < 20; step++) {
    MPI_Sendrecv(&u[8], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 2, &u[9], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i < 9; i++) next[i] = (u[i - 1] + u[i + 1]) / 2;
    for (int i = 1; i < 9; i++) u[i] = next[i];
  }
  double sum = 0, total;
  for (int i = 1; i < 9; i++) sum += u[i] > 0;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%g\n", total); // adj-prints: 20
  MPI_Finalize();
  return 0;
}
