// Active numbers go to a file that ranks share.
// adj-exit: 3
// adj-message: read and write files outside of what is differentiated
#include "adj.h"
#include <mpi.h>

static double f(double *x, int n) {
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "numbers", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_write(file, x, n, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  return x[0] * x[1];
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  MPI_Init(&argc, &argv);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  MPI_Finalize();
  return 0;
}
