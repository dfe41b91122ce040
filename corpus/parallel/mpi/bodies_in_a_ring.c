// Bodies that attract each other: positions and masses go around a ring as records.
// adj-ranks: 3
#include "differences.h"
#include <string.h>
#define BODIES 2

struct body {
  double position[2], mass;
};

static double objective(double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct body mine[BODIES], travelling[BODIES], incoming[BODIES];
  double velocity[BODIES][2] = {{0}}, sum = 0;
  for (int b = 0; b < BODIES; b++) {
    mine[b].position[0] = x[2 * b] + b;
    mine[b].position[1] = x[2 * b + 1] * x[2 * b + 1] - rank;
    mine[b].mass = 1 + 0.1 * x[n - 1];
  }
  for (int step = 0; step < 2; step++) {
    double force[BODIES][2] = {{0}};
    memcpy(travelling, mine, sizeof mine);
    for (int turn = 0; turn < size; turn++) {
      MPI_Request requests[2];
      MPI_Isend(travelling, BODIES * 3, MPI_DOUBLE, (rank + 1) % size, turn, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(incoming, BODIES * 3, MPI_DOUBLE, (rank + size - 1) % size, turn, MPI_COMM_WORLD, &requests[1]);
      for (int a = 0; a < BODIES; a++)
        for (int b = 0; b < BODIES; b++) {
          double dx = travelling[b].position[0] - mine[a].position[0];
          double dy = travelling[b].position[1] - mine[a].position[1];
          double distance = dx * dx + dy * dy + 0.5;
          double pull = travelling[b].mass / (distance * sqrt(distance));
          force[a][0] += pull * dx, force[a][1] += pull * dy;
        }
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      memcpy(travelling, incoming, sizeof incoming);
    }
    for (int b = 0; b < BODIES; b++)
      for (int k = 0; k < 2; k++) {
        velocity[b][k] += 0.2 * force[b][k];
        mine[b].position[k] += 0.2 * velocity[b][k];
      }
  }
  for (int b = 0; b < BODIES; b++) sum += mine[b].position[0] * mine[b].position[1] + velocity[b][0] * velocity[b][1];
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[5], at[5], d[5] = {0};
  for (int i = 0; i < 5; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 5);
  int bad = differing(objective, x, d, 5);
  MPI_Finalize();
  return bad != 0;
}
