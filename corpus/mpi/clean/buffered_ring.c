// Every rank sends twice around a ring from a buffer of its own before it receives: a buffered send waits for nobody.
// adj-ranks: 3
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  enum { N = 1000 };
  int bytes = 2 * (N * (int)sizeof(double) + MPI_BSEND_OVERHEAD);
  void *buffer = malloc(bytes);
  MPI_Buffer_attach(buffer, bytes);
  double x[N], sum = 0;
  for (int step = 0; step < 2; step++) {
    for (int i = 0; i < N; i++) x[i] = rank + step * i;
    MPI_Bsend(x, N, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD);
  }
  for (int step = 0; step < 2; step++) {
    MPI_Recv(x, N, MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) sum += x[i];
  }
  MPI_Buffer_detach(&buffer, &bytes);
  free(buffer);
  double all;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.0f\n", all); // adj-prints: 1504500
  MPI_Finalize();
  return 0;
}
