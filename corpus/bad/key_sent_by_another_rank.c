// The same where each rank takes a branch of its own: what comes was sent by another call.
// adj-exit: 3
// adj-message: no derivative
// adj-levels: O2
#include "adj.h"
#include <mpi.h>
#include <string.h>
static double f(const double *x) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double y = x[0] * x[0], z = 0;
  unsigned long bits, come = 0;
  memcpy(&bits, &y, sizeof bits);
  bits = (bits ^ 0x1234567) + 12345;
  if (rank == 0) MPI_Send(&bits, 1, MPI_UNSIGNED_LONG, 1, 0, MPI_COMM_WORLD);
  else if (rank == 1) MPI_Recv(&come, 1, MPI_UNSIGNED_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  come = (come - 12345) ^ 0x1234567;
  memcpy(&z, &come, sizeof z);
  return z * 3 + x[0];
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double x = 2, d = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &d);
  MPI_Finalize();
}
