// Not all ranks call a barrier; the others are at the end already.
// adj-ranks: 3
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 1) MPI_Barrier(MPI_COMM_WORLD); //~ collective
  MPI_Finalize(); //~ collective
  return 0;
}
