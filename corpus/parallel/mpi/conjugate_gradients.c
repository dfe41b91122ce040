// Conjugate gradients for a chain of unknowns that the ranks share: a product with halos and two dot products each step.
// adj-ranks: 3
#include "differences.h"

static double dot(const double *a, const double *b, int n) {
  double mine = 0, all;
  for (int i = 0; i < n; i++) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static void apply(const double *stiffness, const double *p, double *q, int n) {
  int rank, size;
  double before = 0, behind = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&p[0], 1, MPI_DOUBLE, left, 0, &behind, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&p[n - 1], 1, MPI_DOUBLE, right, 1, &before, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++)
    q[i] = (3 + stiffness[i] * stiffness[i]) * p[i] - (i > 0 ? p[i - 1] : before) - (i < n - 1 ? p[i + 1] : behind);
}

static double objective(double *x, int n) {
  double u[4] = {0}, r[4], p[4], q[4];
  for (int i = 0; i < n; i++) r[i] = p[i] = sin(i + 1.0) + x[i];
  double rho = dot(r, r, n);
  for (int iteration = 0; iteration < 40 && rho > 1e-22; iteration++) {
    apply(x, p, q, n);
    double alpha = rho / dot(p, q, n);
    for (int i = 0; i < n; i++) u[i] += alpha * p[i], r[i] -= alpha * q[i];
    double next = dot(r, r, n);
    for (int i = 0; i < n; i++) p[i] = r[i] + next / rho * p[i];
    rho = next;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += u[i] * u[i];
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
