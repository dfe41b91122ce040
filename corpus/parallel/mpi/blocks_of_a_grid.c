// A grid in blocks: each rank sends the border of its block as parts of an array (in C's order and in Fortran's), and
// rows chosen by an index; the types are freed while messages are on their way.
// adj-ranks: 4
#include "differences.h"
#define NX 4
#define NY 3

static MPI_Datatype part(int order, int from_x, int from_y, int nx, int ny) {
  int sizes[2] = {NX + 2, NY + 2}, inside[2] = {nx, ny}, from[2] = {from_x, from_y};
  if (order == MPI_ORDER_FORTRAN) {
    int turned[3] = {sizes[1], inside[1], from[1]};
    sizes[1] = sizes[0], inside[1] = inside[0], from[1] = from[0];
    sizes[0] = turned[0], inside[0] = turned[1], from[0] = turned[2];
  }
  MPI_Datatype made;
  MPI_Type_create_subarray(2, sizes, inside, from, order, MPI_DOUBLE, &made);
  MPI_Type_commit(&made);
  return made;
}

static void step(double u[NX + 2][NY + 2], MPI_Comm grid) {
  int up, down, left, right;
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  MPI_Datatype first = part(MPI_ORDER_C, 1, 1, 1, NY), last = part(MPI_ORDER_C, NX, 1, 1, NY);
  MPI_Datatype above = part(MPI_ORDER_C, 0, 1, 1, NY), below = part(MPI_ORDER_FORTRAN, NX + 1, 1, 1, NY);
  MPI_Datatype west = part(MPI_ORDER_FORTRAN, 1, 1, NX, 1), east = part(MPI_ORDER_C, 1, NY, NX, 1);
  MPI_Datatype before = part(MPI_ORDER_C, 1, 0, NX, 1), behind = part(MPI_ORDER_FORTRAN, 1, NY + 1, NX, 1);
  MPI_Request requests[4];
  MPI_Irecv(u, 1, above, up, 1, grid, &requests[0]);
  MPI_Irecv(u, 1, below, down, 2, grid, &requests[1]);
  MPI_Isend(u, 1, last, down, 1, grid, &requests[2]);
  MPI_Isend(u, 1, first, up, 2, grid, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(u, 1, east, right, 3, u, 1, before, left, 3, grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(u, 1, west, left, 4, u, 1, behind, right, 4, grid, MPI_STATUS_IGNORE);
  MPI_Datatype all[] = {first, last, above, below, west, east, before, behind};
  for (int i = 0; i < 8; i++) MPI_Type_free(&all[i]);
  double next[NX + 2][NY + 2];
  for (int i = 1; i <= NX; i++)
    for (int j = 1; j <= NY; j++)
      next[i][j] = u[i][j] + 0.1 * u[i][j] * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] - 3 * u[i][j + 1]);
  for (int i = 1; i <= NX; i++)
    for (int j = 1; j <= NY; j++) u[i][j] = next[i][j];
}

static double objective(double *x, int n) {
  int size, dimensions[2] = {0, 0}, periods[2] = {1, 0}, rank;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dimensions);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  double u[NX + 2][NY + 2] = {{0}}, chosen[2][NY + 2], sum = 0;
  for (int i = 1; i <= NX; i++)
    for (int j = 1; j <= NY; j++) u[i][j] = sin(x[(i + j) % n] * i) + 0.2 * j;
  for (int t = 0; t < 2; t++) step(u, grid);
  // The rows 3 and 1, in this order, as blocks of one length.
  int places[2] = {3 * (NY + 2), NY + 2};
  MPI_Datatype rows;
  MPI_Type_create_indexed_block(2, NY + 2, places, MPI_DOUBLE, &rows);
  MPI_Type_commit(&rows);
  MPI_Sendrecv(u, 1, rows, (rank + 1) % size, 5, chosen, 2 * (NY + 2), MPI_DOUBLE, (rank + size - 1) % size, 5, grid,
               MPI_STATUS_IGNORE);
  MPI_Type_free(&rows);
  MPI_Comm_free(&grid);
  for (int j = 0; j < NY + 2; j++) sum += chosen[0][j] * chosen[1][j] + (j + 1) * chosen[1][j] * x[0];
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
