// Where several ranks have the largest value, the lowest one of them has the derivative, and only it; so with the
// smallest, at a root.
// adj-ranks: 4
#include <adj.h>
#include <mpi.h>
#include <stdio.h>

static double objective(double *x, double *out) {
  double most, least = 0;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(x, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce(x, &least, 1, MPI_DOUBLE, MPI_MIN, size - 1, MPI_COMM_WORLD);
  *out = 3 * most;
  return rank == size - 1 ? 5 * least : 0;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // The largest value is that of all ranks but the first one, the smallest that of the first two, where there are so many.
  double x = rank > 0 || size == 1 ? 2 : 1, d = 0, out = 0, dout = 1;
  if (rank == 1 && size > 2) x = 1;
  __enzyme_autodiff((void *)objective, enzyme_dup, &x, &d, enzyme_dup, &out, &dout);
  int first = size == 1 ? 0 : size > 2 ? 2 : 1;
  double want = (rank == first ? 3 * size : 0) + (rank == 0 ? 5 : 0);
  if (d != want) printf("rank %d: %g, not %g\n", rank, d, want);
  MPI_Finalize();
  return d != want;
}
