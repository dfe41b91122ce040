// A maximum over all ranks that is only begun.
// adj-exit: 3
// adj-message: a reduction that is only begun, by another operation than MPI_SUM
#include "adj.h"
#include <mpi.h>

static double f(double *x, int n) {
  double y[4];
  MPI_Request request;
  MPI_Iallreduce(x, y, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return y[0] * y[1];
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  MPI_Init(&argc, &argv);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  MPI_Finalize();
  return 0;
}
