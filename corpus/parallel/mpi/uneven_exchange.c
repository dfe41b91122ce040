// Each rank has another number for each other one; the sum of some numbers is split up unevenly.
// adj-ranks: 3
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size, out[8], there[8], in[8], here[8], sizes[8], total = 0, all = 0, elements = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) {
    // What is sent overlaps, what is received has gaps.
    out[i] = (rank + 2 * i) % 3, there[i] = i % 2;
    in[i] = (i + 2 * rank) % 3, here[i] = all, all += in[i] + 1;
    sizes[i] = (i + 1) % 3, elements += sizes[i];
  }
  double came[64], terms[64], part[8] = {0}, sum = 0;
  for (int i = 0; i < 64; i++) came[i] = 1;
  MPI_Alltoallv(x, out, there, MPI_DOUBLE, came, in, here, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < all; i++) sum += (i + rank + 1) * sin(came[i]) * x[i % n];
  for (int i = 0; i < elements; i++) terms[i] = (i + 1) * x[i % n] * x[i % n];
  MPI_Reduce_scatter(terms, part, sizes, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < sizes[rank]; i++) total++, sum += part[i] * part[i] * x[0] / 10;
  MPI_Reduce_scatter(terms, part, sizes, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < sizes[rank]; i++) sum += total * part[i] * x[1];
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
