// One rank gives out work to whoever asks; answers come from any source with any tag.
// adj-ranks: 4
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    int next = 0, done = 0, sum = 0;
    while (done < size - 1) {
      int answer;
      MPI_Status status;
      MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == 2) sum += answer;
      int task = next < 10 ? next++ : -1;
      done += task < 0;
      MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 3, MPI_COMM_WORLD);
    }
    printf("%d\n", sum); // adj-prints: 285
  } else {
    int task, answer = 0, tag = 1;
    for (;;) {
      MPI_Send(&answer, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
      MPI_Recv(&task, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (task < 0) break;
      answer = task * task;
      tag = 2;
    }
  }
  MPI_Finalize();
  return 0;
}
