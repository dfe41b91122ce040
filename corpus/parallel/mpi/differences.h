/* The gradient of what ranks compute together, against differences: each rank calls `objective` with its own numbers, and J is the sum over the
 * ranks of what it returns. All take part in each evaluation; every number of every rank is moved in turn.
 */
#ifndef ADJ_DIFFERENCES_H
#define ADJ_DIFFERENCES_H

#include <adj.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>

static double sum_over_ranks(double (*objective)(double *, int), const double *x, int n) {
  double copy[64], mine, sum = 0;
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < n; i++) copy[i] = x[i];
  mine = objective(copy, n);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* How many components of `gradient` differ from the differences, on all ranks. */
static int differing(double (*objective)(double *, int), const double *x, const double *gradient, int n) {
  int rank, size, bad = 0, all = 0;
  double at[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int who = 0; who < size; who++) {
    for (int i = 0; i < n; i++) {
      /* Central differences of two steps, and Richardson's extrapolation. */
      double quotient[2], h = 4e-4;
      for (int step = 0; step < 2; step++, h /= 2) {
        for (int j = 0; j < n; j++) at[j] = x[j];
        if (who == rank) at[i] = x[i] + h;
        double above = sum_over_ranks(objective, at, n);
        if (who == rank) at[i] = x[i] - h;
        quotient[step] = (above - sum_over_ranks(objective, at, n)) / (2 * h);
      }
      double want = (4 * quotient[1] - quotient[0]) / 3;
      if (who == rank && !(fabs(want - gradient[i]) <= 1e-7 * (1 + fabs(want)))) {
        printf("rank %d, component %d: %.12g, differences %.12g\n", rank, i, gradient[i], want);
        bad++;
      }
    }
  }
  MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

#endif
