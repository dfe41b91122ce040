// Each rank sends its numbers around a ring and multiplies what has come with its own.
// adj-ranks: 3
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double came[4] = {1, 1, 1, 1}, sum = 0;
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  if (size > 1 && rank % 2 == 0) {
    MPI_Send(x, n, MPI_DOUBLE, next, 7, MPI_COMM_WORLD);
    MPI_Recv(came, n, MPI_DOUBLE, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (size > 1) {
    MPI_Recv(came, n, MPI_DOUBLE, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ssend(x, n, MPI_DOUBLE, next, 7, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += (rank + 1) * sin(came[i]) * x[i] * x[i];
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], d[4] = {0};
  for (int i = 0; i < 4; i++) x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, x, d, enzyme_const, 4);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
