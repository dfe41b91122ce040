// Each rank has another number of elements, with gaps between them; the lists are written over before the reverse.
// adj-ranks: 4
#include "differences.h"
#define N 4

static double objective(double *x, int n) {
  int rank, size, counts[8], places[8], total = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) counts[i] = 1 + i % n, places[i] = total, total += counts[i] + 1;
  int mine = counts[rank];
  double all[64], part[N], sum = 0;
  for (int i = 0; i < 64; i++) all[i] = x[i % n];
  MPI_Gatherv(x, mine, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < total; i++) all[i] *= all[i];
  MPI_Scatterv(all, counts, places, MPI_DOUBLE, part, mine, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < mine; i++) sum += (rank + 1) * part[i] * x[i] + all[i];
  MPI_Allgatherv(part, mine, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < total; i++) sum += sin(all[i]) * (rank + i);
  for (int i = 0; i < mine; i++) all[places[rank] + i] = x[i] * x[i];
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < total; i++) sum += all[i] * x[0];
  MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : part, mine, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < size; i++) counts[i] = 2, places[i] = i % 2;
  for (int i = 0; i < total; i++) sum += all[i] * all[i] * (i + 1);
  MPI_Scatterv(all, counts, places, MPI_DOUBLE, part, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++) sum += part[i] * part[i];
  for (int i = 0; i < 8; i++) counts[i] = places[i] = -1;
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[N], d[N] = {0};
  for (int i = 0; i < N; i++) x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, x, d, enzyme_const, N);
  int bad = differing(objective, x, d, N);
  MPI_Finalize();
  return bad != 0;
}
