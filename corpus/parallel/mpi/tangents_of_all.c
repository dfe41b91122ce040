// Forward mode: broadcasts, gathers, scatters and reductions of all kinds, in place and not.
// adj-ranks: 3
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size, counts[8], places[8], total = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) counts[i] = 1 + i % n, places[i] = total, total += counts[i] + 1;
  double a[N], b[N] = {0}, c[N], all[64], other[64], sum = 0;
  for (int i = 0; i < 64; i++) all[i] = other[i] = 0.5;
  for (int i = 0; i < n; i++) a[i] = sin(3 * x[i] + rank), c[i] = x[i] * x[i];
  MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : a, a, n, MPI_DOUBLE, MPI_PROD, 0, MPI_COMM_WORLD);
  MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += (rank + 1) * b[i] * a[i] * x[i];
  MPI_Scan(MPI_IN_PLACE, c, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(c, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) sum += c[i] * b[i];
  MPI_Gather(c, n, MPI_DOUBLE, all, n, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) all[i] *= all[i] / 4;
  MPI_Scatter(all, n, MPI_DOUBLE, b, n, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  MPI_Allgather(b, n, MPI_DOUBLE, other, n, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(other, n, MPI_DOUBLE, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++) sum += (i + rank) * sin(all[i]);
  MPI_Reduce_scatter_block(all, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Gatherv(b, counts[rank], MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < total; i++) all[i] = sin(all[i]);
  MPI_Scatterv(all, counts, places, MPI_DOUBLE, c, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allgatherv(c, counts[rank], MPI_DOUBLE, other, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < total; i++) sum += other[i] * other[i] * x[i % n] + all[i];
  return sum;
}

static double tangent_is(double *x, double *v) {
  double at[N], direction[N];
  for (int i = 0; i < N; i++) at[i] = x[i], direction[i] = v[i];
  return __enzyme_fwddiff((void *)objective, enzyme_dup, at, direction, enzyme_const, N);
}

// Over all ranks, the tangent in a direction is the product of the gradient and the direction.
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[N], v[N], at[N], d[N] = {0}, both[2] = {0}, sums[2];
  for (int i = 0; i < N; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i, v[i] = sin(rank + 2 * i + 1);
  both[0] = tangent_is(x, v);
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, N);
  for (int i = 0; i < N; i++) both[1] += d[i] * v[i];
  MPI_Allreduce(both, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int bad = !(fabs(sums[0] - sums[1]) <= 1e-12 * (1 + fabs(sums[1]))) || differing(objective, x, d, N);
  if (bad) printf("rank %d: tangent %.17g, gradient %.17g\n", rank, sums[0], sums[1]);
  MPI_Finalize();
  return bad != 0;
}
