// Parallel prefix products of numbers, by doubling distances, and rows of a matrix times a vector that all have.
// adj-ranks: 4
#include "differences.h"

static double prefix(double mine) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int distance = 1; distance < size; distance *= 2) {
    double sent = mine, came = 1;
    MPI_Request request;
    if (rank + distance < size) MPI_Isend(&sent, 1, MPI_DOUBLE, rank + distance, distance, MPI_COMM_WORLD, &request);
    if (rank >= distance) {
      MPI_Recv(&came, 1, MPI_DOUBLE, rank - distance, distance, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      mine *= came;
    }
    if (rank + distance < size) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return mine;
}

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double vector[32], product[4], sum = 0, factor = prefix(1 + x[0] / 4);
  for (int round = 0; round < 2; round++) {
    MPI_Allgather(round == 0 ? x : product, n, MPI_DOUBLE, vector, n, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
      product[i] = 0;
      for (int j = 0; j < n * size; j++) product[i] += vector[j] * factor / (1 + i + j + rank);
    }
  }
  for (int i = 0; i < n; i++) sum += product[i] * product[i];
  return sum;
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
