// Conjugate gradients for a tridiagonal matrix, rows divided among ranks: dot products by Allreduce, edges by messages.
// adj-ranks: 4
#include <mpi.h>
#include <stdio.h>

#define N 6

static double dot(const double *a, const double *b) {
  double part = 0, all;
  for (int i = 1; i <= N; i++) part += a[i] * b[i];
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double x[N + 2] = {0}, r[N + 2] = {0}, p[N + 2] = {0}, q[N + 2] = {0};
  int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  for (int i = 1; i <= N; i++) r[i] = p[i] = 1;
  double rr = dot(r, r);
  for (int k = 0; k < 4 * N && rr > 1e-24; k++) {
    MPI_Request requests[4];
    p[0] = p[N + 1] = 0;
    MPI_Irecv(&p[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&p[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&p[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&p[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= N; i++) q[i] = 2 * p[i] - p[i - 1] - p[i + 1];
    double alpha = rr / dot(p, q), before = rr;
    for (int i = 1; i <= N; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    rr = dot(r, r);
    for (int i = 1; i <= N; i++) p[i] = r[i] + rr / before * p[i];
  }
  if (rank == 0) printf("%.6f\n", x[1]); // adj-prints: 12.000000
  MPI_Finalize();
  return 0;
}
