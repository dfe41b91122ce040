// Sums over the ranks up to one's own, before it, and of parts; in place and not.
// adj-ranks: 4
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double up_to[N], before[N] = {1, 2, 3}, parts[8 * N], own[N], sum = 0;
  MPI_Scan(x, up_to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(x, before, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += (rank + 1) * up_to[i] * up_to[i] + before[i] * x[i];
  MPI_Scan(MPI_IN_PLACE, up_to, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) before[i] = rank ? sin(before[i]) : x[i] * x[i];
  MPI_Exscan(MPI_IN_PLACE, before, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += sin(up_to[i]) * before[i];
  for (int i = 0; i < n * size; i++) parts[i] = (i + rank) * x[i % n] * x[i % n];
  MPI_Reduce_scatter_block(parts, own, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += own[i] * own[i] * (rank + 1);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, parts, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += sqrt(1 + parts[i]);
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
