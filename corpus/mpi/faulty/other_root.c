// The ranks name different roots of a broadcast.
// adj-ranks: 2
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank;
  MPI_Bcast(&x, 1, MPI_INT, rank, MPI_COMM_WORLD); //~ collective
  MPI_Finalize();
  return 0;
}
