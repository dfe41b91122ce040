// Numbers of four bytes, counts and flags beside them as integers, and a type that only a run can tell.
// adj-ranks: 2
#include "differences.h"
#define N 4

static void pass(void *buffer, int count, MPI_Datatype type, int from, int to) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (from == to) return;
  if (rank == from) MPI_Send(buffer, count, type, to, 5, MPI_COMM_WORLD);
  if (rank == to) MPI_Recv(buffer, count, type, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double objective(double *x, int n) {
  int rank, size, weight;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float small[2] = {1, 2};
  double sum = 0;
  weight = 3 + rank;
  if (rank == 0) small[0] = (float)(int)(4 * x[0]) * 0.5f, small[1] = 0.25f;
  pass(small, 2, MPI_FLOAT, 0, size - 1);
  pass(&weight, 1, MPI_INT, 0, size - 1);
  pass(x, n, MPI_DOUBLE, 0, size - 1);
  for (int i = 0; i < n; i++) sum += weight * (double)small[i % 2] * x[i] * x[i];
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
