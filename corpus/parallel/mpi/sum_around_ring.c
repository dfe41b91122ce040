// All ranks get the sum of all vectors around a ring, in parts: first the parts are summed up, then they are handed on.
// adj-ranks: 4
#include "differences.h"

static void sum_around_ring(double *data, int n) {
  int rank, size;
  double incoming[8];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int next = (rank + 1) % size, previous = (rank - 1 + size) % size;
  int starts[16];
  for (int part = 0; part <= size; part++) starts[part] = part * n / size;
  for (int step = 0; step < 2 * (size - 1); step++) {
    int send = (2 * size + rank - step) % size, receive = (2 * size + rank - step - 1) % size;
    int out = starts[send + 1] - starts[send], in = starts[receive + 1] - starts[receive];
    MPI_Request request;
    MPI_Irecv(incoming, in, MPI_DOUBLE, previous, step, MPI_COMM_WORLD, &request);
    MPI_Send(data + starts[send], out, MPI_DOUBLE, next, step, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < in; i++) {
      if (step < size - 1)
        data[starts[receive] + i] += incoming[i];
      else
        data[starts[receive] + i] = incoming[i];
    }
  }
}

static double objective(double *x, int n) {
  double work[8], sum = 0;
  for (int i = 0; i < n; i++) work[i] = x[i] * x[i] * (i + 1);
  sum_around_ring(work, n);
  for (int i = 0; i < n; i++) sum += sin(work[i]) * x[i];
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[5], at[5], d[5] = {0};
  for (int i = 0; i < 5; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 5);
  int bad = differing(objective, x, d, 5);
  MPI_Finalize();
  return bad != 0;
}
