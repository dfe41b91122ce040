// The trapezoid rule: each rank has a part of the interval, whose ends are sums over the ranks before.
// adj-ranks: 3
#include "differences.h"

static double curve(double t, const double *c, int n) {
  double value = 0;
  for (int i = n - 1; i >= 0; i--) value = value * t + c[i];
  return exp(-t) * value;
}

static double objective(double *x, int n) {
  int rank, size, steps = 10;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double width = 0.5 + x[0] * x[0], end, c[8];
  MPI_Scan(&width, &end, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) c[i] = x[i];
  MPI_Bcast(c, n, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  double a = end - width, h = width / steps, area = (curve(a, c, n) + curve(end, c, n)) / 2, total = 0;
  for (int i = 1; i < steps; i++) area += curve(a + i * h, c, n);
  area *= h;
  MPI_Reduce(&area, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return rank == 0 ? total * total : 0;
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
