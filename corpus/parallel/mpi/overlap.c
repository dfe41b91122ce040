// Edges travel while the inside is relaxed; the requests stand in an array that is used in each step.
// adj-ranks: 3
#include "differences.h"
#define N 5

static void begin(double *u, int n, int left, int right, MPI_Request *requests) {
  MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&u[n], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
}

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  double u[N + 2], next[N + 2], sum = 0;
  for (int i = 0; i < n + 2; i++) u[i] = 0.5;
  for (int i = 0; i < n; i++) u[i + 1] = x[i];
  for (int step = 0; step < 4; step++) {
    MPI_Request requests[4];
    begin(u, n, left, right, requests);
    for (int i = 2; i < n; i++) next[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= n; i += n - 1) next[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    for (int i = 1; i <= n; i++) u[i] = next[i];
  }
  for (int i = 0; i <= n + 1; i++) sum += (rank + 1) * u[i] * u[i];
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
