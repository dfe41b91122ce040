// Columns travel as vectors into rows, columns of another matrix and plain arrays; rows are contiguous types.
// adj-ranks: 3
#include <mpi.h>
#include <stdio.h>

#define ROWS 4
#define COLUMNS 5

int main(int argc, char **argv) {
  int rank, size, bytes, count;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype column, narrow, row, two_rows;
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_vector(ROWS, 1, 2, MPI_DOUBLE, &narrow);
  MPI_Type_contiguous(COLUMNS, MPI_DOUBLE, &row);
  MPI_Type_contiguous(2, row, &two_rows);
  MPI_Type_commit(&column);
  MPI_Type_commit(&narrow);
  MPI_Type_commit(&two_rows);
  MPI_Type_size(column, &bytes);
  double a[ROWS][COLUMNS] = {{0}}, b[ROWS][2] = {{0}}, c[ROWS] = {0}, all[3][2 * COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = 100.0 * rank + 10.0 * i + j;
  MPI_Status status = {0};
  MPI_Request request;
  if (rank == 0) {
    MPI_Send(&a[0][1], 1, column, 1, 0, MPI_COMM_WORLD);
    MPI_Isend(&a[0][3], 1, column, 2, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 1) MPI_Recv(&b[0][1], 1, narrow, 0, 0, MPI_COMM_WORLD, &status);
  if (rank == 2) {
    MPI_Irecv(c, ROWS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
  }
  MPI_Bcast(&a[0][0], 1, column, 2, MPI_COMM_WORLD);
  MPI_Allgather(&a[1][0], 1, two_rows, all, 1, two_rows, MPI_COMM_WORLD);
  MPI_Get_count(&status, narrow, &count);
  if (rank == 1) printf("%d %d %g %g %g | ", bytes, count, b[0][0], b[1][1], b[3][1]); // adj-prints: 32 1 0 11 31 | 3 33 230 231 12 124
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) printf("%g %g %g %g %g %g", c[0], c[3], a[3][0], a[3][1], all[0][2], all[1][9]);
  MPI_Type_free(&column);
  MPI_Type_free(&narrow);
  MPI_Type_free(&row);
  MPI_Type_free(&two_rows);
  MPI_Finalize();
  return column != MPI_DATATYPE_NULL;
}
