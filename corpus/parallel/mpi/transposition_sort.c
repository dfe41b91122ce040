// Odd-even transposition sort: neighbours exchange their numbers, and one keeps the smaller, one the larger ones.
// adj-ranks: 4
#include "differences.h"
#include <stdlib.h>

static void merge(const double *mine, const double *theirs, double *out, int n, int low) {
  for (int k = 0, a = low ? 0 : n - 1, b = a; k < n; k++) {
    if (low)
      out[k] = mine[a] <= theirs[b] ? mine[a++] : theirs[b++];
    else
      out[n - 1 - k] = mine[a] > theirs[b] ? mine[a--] : theirs[b--];
  }
}

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double mine[4], theirs[5], merged[4], sum = 0;
  for (int i = 0; i < n; i++) mine[i] = sin(7 * x[i] + 3 * rank);
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && mine[j] < mine[j - 1]; j--) {
      double swap = mine[j];
      mine[j] = mine[j - 1], mine[j - 1] = swap;
    }
  for (int phase = 0; phase < size; phase++) {
    int partner = (phase + rank) % 2 == 0 ? rank + 1 : rank - 1;
    if (partner < 0 || partner >= size) continue;
    MPI_Sendrecv(mine, n, MPI_DOUBLE, partner, phase, theirs, n, MPI_DOUBLE, partner, phase, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    merge(mine, theirs, merged, n, rank < partner);
    for (int i = 0; i < n; i++) mine[i] = merged[i];
  }
  for (int i = 0; i < n; i++) sum += mine[i] * mine[i] * (rank * n + i + 1);
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
