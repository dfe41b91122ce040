// Active numbers are packed into bytes.
// adj-exit: 3
// adj-message: send the numbers themselves
#include "adj.h"
#include <mpi.h>

static double f(double *x, int n) {
  char packed[64];
  int at = 0;
  MPI_Pack(x, n, MPI_DOUBLE, packed, sizeof packed, &at, MPI_COMM_WORLD);
  MPI_Bcast(packed, at, MPI_PACKED, 0, MPI_COMM_WORLD);
  at = 0;
  MPI_Unpack(packed, sizeof packed, &at, x, n, MPI_DOUBLE, MPI_COMM_WORLD);
  return x[0] * x[1];
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  MPI_Init(&argc, &argv);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  MPI_Finalize();
  return 0;
}
