// Messages with one tag between two ranks, received by calls of both kinds and awaited in other orders than they were
// begun in: their adjoints must not be taken for each other.
// adj-ranks: 2
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  double a[N], b[N], c[N], out[3][N], sum = 0;
  MPI_Request first, second, sends[4];
  MPI_Irecv(a, n, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, &first);
  MPI_Irecv(b, n, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, &second);
  for (int i = 0; i < n; i++) out[0][i] = x[i] * x[i], out[1][i] = sin(x[i]), out[2][i] = 3 * x[i];
  for (int k = 0; k < 3; k++) MPI_Isend(out[k], n, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &sends[k + 1]);
  MPI_Recv(c, n, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) sum += (rank + 1) * b[i] * b[i] * c[i];
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  sends[0] = sends[3];
  MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; i++) sum += a[i] * a[i] * x[i] + 2 * c[i];
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
