// A type of records, made in what is differentiated.
// adj-exit: 3
// adj-message: make types with MPI_Type_contiguous and MPI_Type_vector
#include "adj.h"
#include <mpi.h>

static double f(double *x, int n) {
  MPI_Datatype record, types[2] = {MPI_DOUBLE, MPI_DOUBLE};
  int lengths[2] = {1, 1};
  MPI_Aint places[2] = {0, 24};
  MPI_Type_create_struct(2, lengths, places, types, &record);
  MPI_Type_commit(&record);
  MPI_Bcast(x, 1, record, 0, MPI_COMM_WORLD);
  MPI_Type_free(&record);
  return x[0] * x[3] * n;
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  MPI_Init(&argc, &argv);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  MPI_Finalize();
  return 0;
}
