// Columns of a matrix travel as a vector type, rows as a contiguous one, records of a type made of such types.
// adj-ranks: 3
#include "differences.h"
#define ROWS 3
#define COLUMNS 4

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  double a[ROWS][COLUMNS], packed[ROWS], all[64], sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) a[i][j] = sin(x[(i + 2 * j) % n] * (i + 1)) + x[j % n] * j;
  MPI_Datatype column, row, two;
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_contiguous(COLUMNS, MPI_DOUBLE, &row);
  MPI_Type_commit(&column);
  MPI_Type_commit(&row);
  // A column is received as a column, then as numbers side by side, from numbers side by side, and in place.
  MPI_Sendrecv(&a[0][1], 1, column, right, 1, &a[0][0], 1, column, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request requests[2];
  MPI_Irecv(packed, ROWS, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&a[0][3], 1, column, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < ROWS; i++) a[i][2] += packed[i] * packed[i];
  MPI_Irecv(&a[0][3], 1, column, left, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(packed, ROWS, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv_replace(&a[0][2], 1, column, right, 4, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(a[1], 1, row, 0, MPI_COMM_WORLD);
  // Every second block of a column of columns.
  MPI_Type_create_resized(column, 0, sizeof(double), &two);
  MPI_Datatype columns;
  MPI_Type_contiguous(2, two, &columns);
  MPI_Type_commit(&columns);
  MPI_Allgather(&a[0][1], 1, columns, all, 2 * ROWS, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Type_free(&column);
  MPI_Type_free(&two);
  MPI_Type_free(&columns);
  MPI_Type_free(&row);
  for (int i = 0; i < 2 * ROWS * size; i++) sum += (i + 1 + rank) * all[i] * all[i];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) sum += a[i][j] * a[i][j] * (i + j + 1) * x[0];
  return sum / 10;
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
