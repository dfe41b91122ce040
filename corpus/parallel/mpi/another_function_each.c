// Each rank differentiates a function of its own: the first collects what the others only send.
// adj-ranks: 4
#include "differences.h"

static double collect(double *x, int n) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double sum = x[0] * x[1], came[4];
  for (int k = 0; k < 2 * (size - 1); k++) {
    MPI_Status status;
    MPI_Recv(came, 4, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    for (int i = 0; i < n; i++) sum += (status.MPI_SOURCE + status.MPI_TAG) * came[i] * came[i] * x[i];
  }
  return sum;
}

static double give(double *x, int n) {
  MPI_Send(x, n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) x[i] = sin(x[i]);
  MPI_Send(x, n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
  return x[0] * x[n - 1];
}

static double objective(double *x, int n) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0 ? collect(x, n) : give(x, n);
}

// Two calls of functions of one type would become one call of a function that only the run knows.
__attribute__((noinline)) static void gradient_of_collect(double *x, double *d) {
  __enzyme_autodiff((void *)collect, enzyme_dup, x, d, enzyme_const, 4);
}

__attribute__((noinline)) static void gradient_of_give(double *x, double *d) {
  __enzyme_autodiff((void *)give, enzyme_dup, x, d, enzyme_const, 4);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], at[4], d[4] = {0};
  for (int i = 0; i < 4; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  if (rank == 0)
    gradient_of_collect(at, d);
  else
    gradient_of_give(at, d);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
