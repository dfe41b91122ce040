// Forward mode: messages to one other rank, from whoever, to nobody, by one buffer, of a constant, and begun by one call
// and completed by another.
// adj-ranks: 3
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  double u[N + 1] = {0.5, 0.25, 0.125, 2}, constants[2] = {1.5, 2.5}, sum = 0;
  MPI_Sendrecv(x, n, MPI_DOUBLE, right, 1, u, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(&u[1], 2, MPI_DOUBLE, left, 2, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request requests[4];
  double edges[2] = {0.75, 1.25};
  MPI_Irecv(&edges[0], 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&edges[1], 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&u[0], 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&constants[1], 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[3]);
  for (int i = 0; i < n; i++) sum += x[i] * u[i];
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
  requests[2] = requests[3];
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  sum += edges[0] * edges[1] * edges[1] * x[1];
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i <= n; i++) sum += (rank + 1) * u[i] * u[i] * x[0];
  if (rank > 0) {
    double made = x[0] * x[1];
    MPI_Send(&made, 1, MPI_DOUBLE, 0, 10 + rank, MPI_COMM_WORLD);
    MPI_Send(constants, 2, MPI_DOUBLE, 0, 10 + rank, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  } else {
    for (int k = 1; k < size; k++) {
      double made[4] = {0}, factors[2] = {0};
      MPI_Status status;
      int theirs;
      MPI_Recv(made, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 10 + k, MPI_COMM_WORLD, &status);
      MPI_Recv(factors, 2, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&theirs, 1, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += sin(made[0]) * factors[0] * theirs + factors[1] * x[2] * made[1];
    }
  }
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
