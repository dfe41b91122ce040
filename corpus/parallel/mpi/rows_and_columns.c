// Ranks in rows: each row sums by a communicator of its own, which is freed before the reverse, and the columns by
// another one.
// adj-ranks: 4
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double sums[N], most[N], sum = 0;
  for (int k = 0; k < 2; k++) {
    MPI_Comm row, column;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    MPI_Allreduce(x, sums, n, MPI_DOUBLE, MPI_SUM, row);
    for (int i = 0; i < n; i++) sums[i] *= sums[i] * (k + 1);
    MPI_Comm_free(&row);
    if (row != MPI_COMM_NULL) return NAN;
    MPI_Scan(sums, most, n, MPI_DOUBLE, MPI_SUM, column);
    for (int i = 0; i < n; i++) sum += (rank + 1) * most[i] * x[i];
    MPI_Comm_free(&column);
  }
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
