// Sums of all ranks, for all and for a root, in place and not; a broadcast of what the root has made of them.
// adj-ranks: 3
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double squares[N], all[N], root[N] = {0}, sum = 0;
  for (int i = 0; i < n; i++) squares[i] = (rank + 1) * x[i] * x[i];
  MPI_Allreduce(squares, all, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += all[i] * x[i] + squares[i];
  MPI_Reduce(squares, root, n, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1)
    for (int i = 0; i < n; i++) root[i] = sin(root[i]);
  MPI_Bcast(root, n, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += (rank + 2) * root[i] * all[i];
  MPI_Allreduce(MPI_IN_PLACE, squares, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) squares[i] *= squares[i] / 10;
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : squares, rank == 0 ? squares : 0, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += (rank + 1) * cos(squares[i] / 100);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[N], d[N] = {0};
  for (int i = 0; i < N; i++) x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, x, d, enzyme_const, N);
  int bad = differing(objective, x, d, N);
  MPI_Finalize();
  return bad != 0;
}
