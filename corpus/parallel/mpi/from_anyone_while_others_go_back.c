// Receives from any source and with any tag, last of all: other ranks are in their reverse already.
// adj-ranks: 4
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size, extra = 0;
  MPI_Status status;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int behind = (rank + 1) % size;
  double y[4] = {1, 1, 1, 1}, z[4] = {1, 1, 1, 1}, sum = 0;
  MPI_Sendrecv(x, n, MPI_DOUBLE, behind, 3, y, n, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // Rank 0 is the last to send.
  if (rank > 0) MPI_Recv(z, n, MPI_DOUBLE, rank - 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status), extra = status.MPI_TAG;
  if (rank < size - 1) MPI_Send(y, n - 1, MPI_DOUBLE, rank + 1, rank + 5, MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Isend(z, n, MPI_DOUBLE, behind, 3, MPI_COMM_WORLD, &request);
  MPI_Recv(y, n, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) sum += sin(y[i]) * z[i] * x[i] * (extra + i + 1);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], at[4], d[4] = {0};
  for (int i = 0; i < 4; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 4);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
