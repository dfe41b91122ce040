// A rank looks whose message has come before it receives it from there, while others go back already.
// adj-ranks: 4
#include "differences.h"
#include <stdlib.h>

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double sum = x[0] * x[0];
  // Each sends as many numbers as its number says.
  MPI_Request request;
  int length = 1 + rank % n;
  MPI_Isend(x, length, MPI_DOUBLE, (rank + 1) % size, 4, MPI_COMM_WORLD, &request);
  MPI_Status status;
  int count, there = 0;
  if (rank % 2)
    while (!there) MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &there, &status);
  else
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  double *come = malloc(count * sizeof *come);
  MPI_Recv(come, count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; i++) sum += come[i] * x[n - 1 - i] * (i + 1);
  free(come);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[3], at[3], d[3] = {0};
  for (int i = 0; i < 3; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 3);
  int bad = differing(objective, x, d, 3);
  MPI_Finalize();
  return bad != 0;
}
