// Blocking messages around a ring, and then a collective operation that is only begun: no message is begun alone.
// adj-ranks: 3
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  double moved[4], block[4], best[2] = {0}, sum = 0;
  MPI_Request request;
  for (int i = 0; i < n; i++) block[i] = x[i] * x[i] + 0.2 * rank;
  for (int turn = 0; turn < 2; turn++) {
    MPI_Sendrecv(block, n, MPI_DOUBLE, right, 2, moved, n, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++) block[i] = sin(moved[i]) + 0.1 * x[i];
    MPI_Sendrecv_replace(block, n, MPI_DOUBLE, left, 3, right, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) best[0] = block[0] * block[1], best[1] = block[2];
  MPI_Ibcast(best, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
  for (int i = 0; i < n; i++) sum += block[i] * x[i];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (size > 1 && rank == 1) MPI_Send(&sum, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
  double other = 1;
  if (size > 1 && rank == 0) MPI_Recv(&other, 1, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return sum * best[0] + best[1] * best[1] + other * x[0];
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
