// Requests that are made once and started in each step of a loop.
// adj-ranks: 3
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  double u[8] = {0}, v[8] = {0}, sum = 0;
  for (int i = 0; i < n; i++) u[i + 1] = x[i];
  MPI_Request requests[4];
  MPI_Recv_init(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&u[n + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(&u[n], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Ssend_init(&u[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
  for (int step = 0; step < 3; step++) {
    if (step == 1) {
      for (int i = 3; i >= 0; i--) MPI_Start(&requests[i]);
    } else {
      MPI_Startall(4, requests);
    }
    for (int i = 2; i < n; i++) v[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= n; i += n - 1) v[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i <= n; i++) u[i] = v[i];
  }
  for (int i = 0; i < 4; i++) MPI_Request_free(&requests[i]);
  for (int i = 1; i <= n; i++) sum += (rank + i) * u[i] * u[i];
  return sum;
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
