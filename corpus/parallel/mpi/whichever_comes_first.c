// The root waits for whichever request is complete first, and asks until the last one is; senders are not told, and
// one of the messages has no floats.
// adj-ranks: 4
#include "differences.h"
#define N 3

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request count_request, data_request;
  int count = 1 + rank % n;
  if (rank > 0) {
    double scaled[N];
    for (int i = 0; i < n; i++) scaled[i] = rank * x[i] * x[i];
    MPI_Isend(&count, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &count_request);
    MPI_Issend(scaled, count, MPI_DOUBLE, 0, 10, MPI_COMM_WORLD, &data_request);
    MPI_Wait(&count_request, MPI_STATUS_IGNORE);
    MPI_Wait(&data_request, MPI_STATUS_IGNORE);
    return 0;
  }
  double rooms[8][N] = {{0}}, sum = 0;
  int counts[8] = {0};
  MPI_Request data[8], others[8];
  for (int k = 1; k < size; k++) {
    MPI_Irecv(rooms[k], n, MPI_DOUBLE, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &data[k - 1]);
    MPI_Irecv(&counts[k], 1, MPI_INT, k, 1, MPI_COMM_WORLD, &others[k - 1]);
    if (k == 1) MPI_Wait(&others[0], MPI_STATUS_IGNORE);
  }
  for (int k = 1; k < size; k++) {
    MPI_Status status;
    int index = k - 1, flag = 0;
    if (k + 1 < size) {
      MPI_Waitany(size - 1, data, &index, &status);
    } else {
      for (index = 0; data[index] == MPI_REQUEST_NULL; index++) {}
      while (!flag) MPI_Test(&data[index], &flag, &status);
    }
    for (int i = 0; i < n; i++) sum += cos(rooms[index + 1][i]) * x[0];
  }
  if (size > 2) MPI_Waitall(size - 2, others + 1, MPI_STATUSES_IGNORE);
  for (int k = 1; k < size; k++)
    for (int i = 0; i < n; i++) sum += counts[k] * x[i] * x[i] + rooms[k][i] * rooms[k][i];
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
