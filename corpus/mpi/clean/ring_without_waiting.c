// A token goes round a ring by operations that do not wait, and is awaited together.
// adj-ranks: 5
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = rank * rank, theirs = -1, sum = 0;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  int wrong = theirs != statuses[0].MPI_SOURCE * statuses[0].MPI_SOURCE;
  MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d %d\n", sum, theirs); // adj-prints: 0 16
  MPI_Finalize();
  return 0;
}
