// A Hessian-vector product of messages that block, in a program that differentiates others, which do not, as well.
// adj-ranks: 2
#include "differences.h"

static double blocking(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  double mine[3], theirs[3], sum = 0;
  for (int i = 0; i < n; i++) mine[i] = x[i] * x[i] * x[i];
  MPI_Sendrecv(mine, n, MPI_DOUBLE, right, 0, theirs, n, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) sum += theirs[i] * x[i];
  return sum;
}

static double overlapping(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  double mine[3], theirs[3], sum = 0;
  MPI_Request requests[2];
  MPI_Irecv(theirs, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  for (int i = 0; i < n; i++) mine[i] = sin(x[i]);
  MPI_Isend(mine, n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; i++) sum += theirs[i] * x[i];
  return sum;
}

static void gradient(double *x, double *d, int n) {
  __enzyme_autodiff((void *)blocking, enzyme_dup, x, d, enzyme_const, n);
}

int main(int argc, char **argv) {
  int rank, bad = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[3], v[3], d[3] = {0}, h[3] = {0}, e[3] = {0};
  for (int i = 0; i < 3; i++) x[i] = 0.4 * (rank + 1) + 0.1 * i, v[i] = 1 - 0.3 * i;
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, d, h, enzyme_const, 3);
  // The gradient at two points on the line.
  const double step = 1e-5;
  double up[3], down[3], du[3] = {0}, dd[3] = {0};
  for (int i = 0; i < 3; i++) up[i] = x[i] + step * v[i], down[i] = x[i] - step * v[i];
  gradient(up, du, 3);
  gradient(down, dd, 3);
  for (int i = 0; i < 3; i++) bad += fabs((du[i] - dd[i]) / (2 * step) - h[i]) > 1e-6;
  __enzyme_autodiff((void *)overlapping, enzyme_dup, x, e, enzyme_const, 3);
  bad += differing(overlapping, x, e, 3);
  MPI_Finalize();
  return bad != 0;
}
