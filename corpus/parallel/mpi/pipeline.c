// A pipeline: each rank works on an item and hands it on, while the next item comes.
// adj-ranks: 3
#include "differences.h"
#define ITEMS 4

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double result = 0, buffers[2][4];
  MPI_Request out = MPI_REQUEST_NULL;
  for (int item = 0; item < ITEMS; item++) {
    double *b = buffers[item % 2];
    if (rank == 0)
      for (int i = 0; i < n; i++) b[i] = x[i] + 0.1 * item;
    else
      MPI_Recv(b, n, MPI_DOUBLE, rank - 1, item, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++) b[i] = b[i] * x[i] + cos(b[(i + 1) % n]);
    MPI_Wait(&out, MPI_STATUS_IGNORE);
    if (rank < size - 1)
      MPI_Isend(b, n, MPI_DOUBLE, rank + 1, item, MPI_COMM_WORLD, &out);
    else
      for (int i = 0; i < n; i++) result += b[i] * b[i] * (item + 1);
  }
  MPI_Wait(&out, MPI_STATUS_IGNORE);
  return result;
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
