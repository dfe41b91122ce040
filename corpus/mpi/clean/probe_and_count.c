// The length of a message is found by a probe before memory for it is allocated.
// adj-ranks: 2
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    double values[5] = {1, 2, 3, 4, 5};
    MPI_Send(values, 5, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Status status;
    int found = 0, count;
    while (!found) MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    double *values = malloc(count * sizeof *values);
    MPI_Recv(values, count, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", count, values[4]); // adj-prints: 5 5
    free(values);
  }
  MPI_Finalize();
  return 0;
}
