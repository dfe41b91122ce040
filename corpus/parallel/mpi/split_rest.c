// The two passes of a gradient as two calls, with types, requests and operations that are only begun in between.
// adj-ranks: 3
#include "differences.h"
#define N 4

struct forward {
  void *tape;
  double value;
} __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  double came[N] = {0}, all[N], again[N], sum = 0;
  MPI_Request requests[4];
  MPI_Datatype ends;
  MPI_Type_vector(2, 1, n - 1, MPI_DOUBLE, &ends);
  MPI_Type_commit(&ends);
  MPI_Irecv(came, 1, ends, from, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(x, 1, ends, to, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Iallreduce(x, all, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&ends);
  MPI_Recv_init(again, n, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(came, n, MPI_DOUBLE, to, 2, MPI_COMM_WORLD, &requests[1]);
  for (int step = 0; step < 2; step++) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) came[i] = sin(came[i]) + again[i] * all[i];
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  for (int i = 0; i < n; i++) sum += (rank + 1) * came[i] * x[i];
  return sum;
}

// Two gradients, the second of which begins before the first one ends.
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[2][N], at[2][N], d[2][N] = {{0}};
  struct forward f[2];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++) at[k][i] = x[k][i] = 0.3 * (rank + 1) + 0.1 * i + 0.05 * k;
  for (int k = 0; k < 2; k++)
    f[k] = __enzyme_augmentfwd((void *)objective, enzyme_dup, at[k], d[k], enzyme_const, N);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++) at[k][i] = -3;
  for (int k = 0; k < 2; k++)
    __enzyme_reverse((void *)objective, enzyme_dup, at[k], d[k], enzyme_const, N, 1.0, f[k].tape);
  int bad = differing(objective, x[0], d[0], N) + differing(objective, x[1], d[1], N);
  MPI_Finalize();
  return bad != 0;
}
