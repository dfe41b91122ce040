// Memory that other ranks write to without being asked.
// adj-exit: 3
// adj-message: send and receive, or keep one-sided communication out
#include "adj.h"
#include <mpi.h>

static double f(double *x, int n) {
  MPI_Win window;
  double y[4] = {0};
  MPI_Win_create(y, sizeof y, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(x, n, MPI_DOUBLE, 0, 0, n, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  return y[0] * x[1];
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  MPI_Init(&argc, &argv);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  MPI_Finalize();
  return 0;
}
