// Cannon's algorithm: blocks of two matrices go around rows and columns of a grid of ranks.
// adj-ranks: 4
#include "differences.h"
#include <stdlib.h>
#define B 2

static void multiply(const double *a, const double *b, double *c) {
  for (int i = 0; i < B; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < B; k++) c[i * B + j] += a[i * B + k] * b[k * B + j];
}

static double objective(double *x, int n) {
  int size, side = 1, rank, coords[2], dims[2], periods[2] = {1, 1}, from, to;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while ((side + 1) * (side + 1) <= size) side++;
  dims[0] = dims[1] = side;
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  if (grid == MPI_COMM_NULL) return x[0] * x[0];
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, coords);
  double a[B * B], b[B * B], c[B * B] = {0}, sum = 0;
  for (int i = 0; i < B * B; i++) a[i] = x[i % n] + 0.1 * i, b[i] = sin(x[(i + 1) % n]);
  MPI_Cart_shift(grid, 1, -coords[0], &from, &to);
  MPI_Sendrecv_replace(a, B * B, MPI_DOUBLE, to, 1, from, 1, grid, MPI_STATUS_IGNORE);
  MPI_Cart_shift(grid, 0, -coords[1], &from, &to);
  MPI_Sendrecv_replace(b, B * B, MPI_DOUBLE, to, 1, from, 1, grid, MPI_STATUS_IGNORE);
  for (int step = 0; step < side; step++) {
    multiply(a, b, c);
    MPI_Cart_shift(grid, 1, -1, &from, &to);
    MPI_Sendrecv_replace(a, B * B, MPI_DOUBLE, to, 2, from, 2, grid, MPI_STATUS_IGNORE);
    MPI_Cart_shift(grid, 0, -1, &from, &to);
    MPI_Sendrecv_replace(b, B * B, MPI_DOUBLE, to, 3, from, 3, grid, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < B * B; i++) sum += c[i] * c[i] * (i + 1 + rank);
  MPI_Comm_free(&grid);
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
