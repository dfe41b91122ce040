// A type is used before it has been committed.
// adj-ranks: 2
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype pair;
  double x[2] = {1, 2};
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  if (rank == 0) MPI_Send(x, 1, pair, 1, 0, MPI_COMM_WORLD); //~ library
  if (rank == 1) MPI_Recv(x, 1, pair, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
