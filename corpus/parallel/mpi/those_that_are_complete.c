// Requests of which some are complete: all that are, any one, or those that are found by asking.
// adj-ranks: 3
#include "differences.h"

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double came[3][8][4], sum = 0;
  for (int round = 0; round < 3; round++) {
    MPI_Request requests[16];
    MPI_Status statuses[16];
    int places[16], left = 2 * size;
    for (int i = 0; i < size; i++) {
      MPI_Irecv(came[round][i], n, MPI_DOUBLE, i, round, MPI_COMM_WORLD, &requests[2 * i]);
      MPI_Isend(x, n, MPI_DOUBLE, i, round, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    while (left > 0) {
      int done = 0, place = 0, found = 0;
      if (round == 0) {
        MPI_Waitsome(2 * size, requests, &done, places, statuses);
      } else if (round == 1) {
        MPI_Testsome(2 * size, requests, &done, places, MPI_STATUSES_IGNORE);
      } else {
        MPI_Testany(2 * size, requests, &place, &found, MPI_STATUS_IGNORE);
        if (found && place != MPI_UNDEFINED) done = 1, places[0] = place;
      }
      for (int k = 0; k < done; k++)
        if (places[k] % 2 == 0) {
          double *from = came[round][places[k] / 2];
          for (int i = 0; i < n; i++) sum += (round + 1 + places[k]) * sin(from[i]) * x[i] * (rank + 1);
        }
      left -= done;
    }
  }
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
