// The tangent of a gradient whose messages are begun by one call and completed by another.
// adj-exit: 3
// adj-ranks: 1
// adj-message: a gradient keeps a list of the messages here that one call begins and another completes
#include "adj.h"
#include <mpi.h>

static double f(double *x) {
  double mine = x[0], other;
  MPI_Request requests[2];
  MPI_Irecv(&other, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&mine, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return other * other * other;
}

static void gradient(double *x, double *d) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
}

int main(int argc, char **argv) {
  double x[1] = {1.5}, v[1] = {1}, d[1] = {0}, second[1] = {0};
  MPI_Init(&argc, &argv);
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, d, second);
  MPI_Finalize();
  return 0;
}
