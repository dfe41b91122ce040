// The largest and the smallest number with where they are: only the winner depends on its number.
// adj-ranks: 3
#include "differences.h"

struct pair {
  double value;
  int index;
};

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct pair mine[4], most[4], least = {0, 0}, given;
  for (int i = 0; i < n; i++) mine[i].value = sin(3 * x[i] + rank), mine[i].index = rank * n + i;
  MPI_Allreduce(mine, most, n, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  given = mine[0];
  MPI_Reduce(&given, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, size - 1, MPI_COMM_WORLD);
  MPI_Bcast(&least, 1, MPI_DOUBLE_INT, size - 1, MPI_COMM_WORLD);
  double sum = least.value * least.value * (rank + 1 + least.index);
  for (int i = 0; i < n; i++) sum += most[i].value * x[i] * (1 + most[i].index);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], at[4], d[4] = {0};
  for (int i = 0; i < 4; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 4);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
