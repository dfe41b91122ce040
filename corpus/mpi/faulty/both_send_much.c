// Two ranks send each other more than is buffered before either receives.
// adj-ranks: 2
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static double mine[4096], theirs[4096];
  MPI_Send(mine, 4096, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD); //~ deadlock
  MPI_Recv(theirs, 4096, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
