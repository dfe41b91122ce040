// A column is received one row below where it should be: its last number lies behind the matrix.
// adj-ranks: 2
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  double *a = calloc(4 * 5, sizeof(double));
  if (rank == 0) MPI_Send(a, 1, column, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(a + 5, 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ out-of-bounds
  free(a);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
