// The buffer of a send that does not wait is written to before it is awaited.
// adj-ranks: 2
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {1, 2, 3, 4};
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    x[0] = 5;
    MPI_Wait(&request, MPI_STATUS_IGNORE); //~ pending-buffer
  } else {
    MPI_Recv(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
