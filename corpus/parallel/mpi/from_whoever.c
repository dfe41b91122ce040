// The root takes what comes, from any rank and with any tag, in whatever order; messages are shorter than their room.
// adj-ranks: 4
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) {
    double scaled[N];
    for (int i = 0; i < n; i++) scaled[i] = rank * x[i] * x[i];
    MPI_Send(scaled, 1 + rank % n, MPI_DOUBLE, 0, 10 + rank, MPI_COMM_WORLD);
    return 0;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  for (int k = 1; k < size; k++) {
    double room[8] = {0};
    MPI_Status status;
    int count;
    MPI_Recv(room, 8, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, k % 2 ? &status : MPI_STATUS_IGNORE);
    if (k % 2) {
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      if (count != 1 + status.MPI_SOURCE % n || status.MPI_TAG != 10 + status.MPI_SOURCE) return NAN;
    }
    for (int i = 0; i < 8; i++) sum += cos(room[i]) * x[0];
  }
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
