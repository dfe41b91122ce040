// Logistic regression: each rank has its own examples, all have the parameters, and the loss is summed over all.
// adj-ranks: 3
#include "differences.h"

static double loss(const double *weights, const double *features, const int *labels, int examples, int n) {
  double local = 0;
  for (int e = 0; e < examples; e++) {
    double score = weights[0];
    for (int j = 1; j < n; j++) score += weights[j] * features[e * (n - 1) + j - 1];
    local += log1p(exp(labels[e] ? -score : score));
  }
  return local;
}

static double objective(double *x, int n) {
  int rank, examples = 4, labels[4], all;
  double features[16], weights[8], local, total, penalty = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int e = 0; e < examples; e++) {
    labels[e] = (e + rank) % 2;
    for (int j = 0; j < n - 1; j++) features[e * (n - 1) + j] = cos(e * 3 + j + rank);
  }
  for (int j = 0; j < n; j++) weights[j] = x[j];
  MPI_Bcast(weights, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  local = loss(weights, features, labels, examples, n);
  MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&examples, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int j = 1; j < n; j++) penalty += weights[j] * weights[j];
  return total / all + 0.01 * penalty;
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
