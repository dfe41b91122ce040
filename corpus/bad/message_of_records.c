// Records of floats of two formats: adjoints travel in one.
// adj-exit: 3
// adj-ranks: 1
// adj-message: a message of records with floats of two formats
#include "adj.h"
#include <mpi.h>
#include <stddef.h>

struct record {
  float weight;
  double x;
};

static double f(double *x, int n) {
  struct record r = {(float)x[0], x[3]};
  MPI_Datatype record, types[2] = {MPI_FLOAT, MPI_DOUBLE};
  int lengths[2] = {1, 1};
  MPI_Aint places[2] = {offsetof(struct record, weight), offsetof(struct record, x)};
  MPI_Type_create_struct(2, lengths, places, types, &record);
  MPI_Type_commit(&record);
  MPI_Bcast(&r, 1, record, 0, MPI_COMM_WORLD);
  MPI_Type_free(&record);
  return r.weight * r.x * n;
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  MPI_Init(&argc, &argv);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  MPI_Finalize();
  return 0;
}
