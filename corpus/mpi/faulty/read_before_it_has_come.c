// What a pending receive is to bring decides a branch before it has been awaited.
// adj-ranks: 2
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, y = 0;
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (y > 0) printf("positive\n"); //~ uninitialised
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
