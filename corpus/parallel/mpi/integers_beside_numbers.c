// Structures hold active numbers and integers; ranks exchange the integers alone.
// adj-ranks: 3
#include "differences.h"

struct cell {
  double energy;
  int owner, colour;
};

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct cell cell = {x[0] * x[1], rank, 2 * rank};
  MPI_Bcast(&cell.colour, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  int from;
  MPI_Sendrecv(&cell.owner, 1, MPI_INT, (rank + 1) % size, 1, &from, 1, MPI_INT, (rank + size - 1) % size, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  cell.owner = from;
  int most;
  MPI_Allreduce(&cell.owner, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  double sum = 0;
  MPI_Allreduce(&cell.energy, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum * cell.energy * (cell.owner + 1) + sin(x[n - 1]) * (cell.colour + most);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[3], at[3], d[3] = {0};
  for (int i = 0; i < 3; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 3);
  int bad = differing(objective, x, d, 3);
  MPI_Finalize();
  return bad != 0;
}
