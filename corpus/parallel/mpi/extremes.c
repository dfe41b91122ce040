// The largest and the smallest of what ranks have, and products with a factor of zero.
// adj-ranks: 3
#include "differences.h"
#define N 4

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double mine[N], most[N], least[N], product[N], sum = 0;
  for (int i = 0; i < n; i++) mine[i] = sin(3 * x[i] + rank);
  MPI_Allreduce(mine, most, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce(mine, least, n, MPI_DOUBLE, MPI_MIN, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += (rank + 1) * most[i] * most[i] * x[i];
  if (rank == size - 1)
    for (int i = 0; i < n; i++) sum += 3 * least[i] * x[i];
  mine[0] = rank == size - 1 ? x[0] - x[0] : x[0];
  MPI_Allreduce(MPI_IN_PLACE, mine, n, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Reduce(mine, product, n, MPI_DOUBLE, MPI_PROD, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += (rank + 2) * mine[i];
  if (rank == 0)
    for (int i = 0; i < n; i++) sum += product[i];
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
