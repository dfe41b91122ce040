// A communicator for each row of ranks, and a Cartesian grid that is closed along one axis.
// adj-ranks: 6
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm row, grid;
  int dims[2] = {0, 0}, closed[2] = {0, 1}, coordinates[2], up, down, left, right, sum;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 3, -rank, &row);
  int place, width;
  MPI_Comm_rank(row, &place);
  MPI_Comm_size(row, &width);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, closed, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, coordinates);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  if (rank == 5) printf("%d %d %d %dx%d %d,%d %d %d %d %d\n", place, width, sum, dims[0], dims[1], coordinates[0], coordinates[1], up, down, left, right); // adj-prints: 0 3 12 3x2 2,1 3 -2 4 4
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
