// Threads within ranks: each computes with a part of the rank's numbers, and the master sends and receives.
// adj-ranks: 2
// adj-flags: -fopenmp
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double u[10], next[10], sum = 0, total;
  for (int i = 0; i < n; i++) u[i + 1] = x[i];
  for (int step = 0; step < 2; step++) {
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    u[0] = u[n + 1] = 0.5;
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 1, &u[n + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[n], 1, MPI_DOUBLE, right, 2, &u[0], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp parallel for
    for (int i = 1; i <= n; i++) next[i] = u[i] + 0.2 * sin(u[i - 1]) * u[i + 1];
#pragma omp parallel for
    for (int i = 1; i <= n; i++) u[i] = next[i];
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i <= n; i++) sum += u[i] * u[i] * (i + rank);
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

int main(int argc, char **argv) {
  int rank, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[4], at[4], d[4] = {0};
  for (int i = 0; i < 4; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 4);
  int bad = differing(objective, x, d, 4);
  MPI_Finalize();
  return bad != 0;
}
