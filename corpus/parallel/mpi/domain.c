// A part of a rod as a structure with fields, buffers for both neighbours, requests and counts, which functions fill, send
// and take apart; the step is limited by the fastest rank.
// adj-ranks: 3
#include "differences.h"
#include <stdlib.h>
#define N 4

struct domain {
  int rank, size, cells;
  double *position, *speed, *force;
  double step, time;
  double *sent[2], *received[2];
  MPI_Request sending[2], receiving[2];
};

static int neighbour(const struct domain *d, int side) {
  int other = d->rank + (side ? 1 : -1);
  return other < 0 || other >= d->size ? -1 : other;
}

static void receive_edges(struct domain *d) {
  for (int side = 0; side < 2; side++) {
    int from = neighbour(d, side);
    if (from >= 0) MPI_Irecv(d->received[side], 2, MPI_DOUBLE, from, 1024, MPI_COMM_WORLD, &d->receiving[side]);
  }
}

static void send_edges(struct domain *d) {
  for (int side = 0; side < 2; side++) {
    int to = neighbour(d, side), cell = side ? d->cells - 1 : 0;
    if (to < 0) continue;
    double *out = d->sent[side];
    *out++ = d->position[cell];
    *out++ = d->speed[cell];
    MPI_Isend(d->sent[side], 2, MPI_DOUBLE, to, 1024, MPI_COMM_WORLD, &d->sending[side]);
  }
}

static void add_edges(struct domain *d) {
  for (int side = 0; side < 2; side++) {
    if (neighbour(d, side) < 0) continue;
    int cell = side ? d->cells - 1 : 0;
    MPI_Wait(&d->receiving[side], MPI_STATUS_IGNORE);
    double *in = d->received[side], stretch = in[0] - d->position[cell];
    d->force[cell] += stretch * stretch * stretch + 0.1 * in[1] * d->speed[cell];
  }
  for (int side = 0; side < 2; side++)
    if (neighbour(d, side) >= 0) MPI_Wait(&d->sending[side], MPI_STATUS_IGNORE);
}

static double objective(double *x, int n) {
  struct domain *d = malloc(sizeof *d);
  double sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &d->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &d->size);
  d->cells = n;
  d->position = malloc(n * sizeof(double));
  d->speed = malloc(n * sizeof(double));
  d->force = malloc(n * sizeof(double));
  for (int side = 0; side < 2; side++) d->sent[side] = malloc(2 * sizeof(double)), d->received[side] = malloc(2 * sizeof(double));
  for (int i = 0; i < n; i++) d->position[i] = d->rank + x[i], d->speed[i] = sin(x[i]);
  d->time = 0;
  for (int k = 0; k < 5; k++) {
    receive_edges(d);
    send_edges(d);
    for (int i = 0; i < n; i++) d->force[i] = -d->position[i] * x[i] * x[i];
    add_edges(d);
    double fastest = 0.05;
    for (int i = 0; i < n; i++) fastest += d->speed[i] * d->speed[i];
    double limit = 0.1 / fastest;
    MPI_Allreduce(&limit, &d->step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
      d->speed[i] += d->step * d->force[i];
      d->position[i] += d->step * d->speed[i];
    }
    d->time += d->step;
  }
  for (int i = 0; i < n; i++) sum += d->position[i] * d->position[i] + d->speed[i];
  sum *= d->time;
  for (int side = 0; side < 2; side++) free(d->sent[side]), free(d->received[side]);
  free(d->position);
  free(d->speed);
  free(d->force);
  free(d);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[N], d[N] = {0};
  for (int i = 0; i < N; i++) x[i] = 0.2 + 0.1 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, x, d, enzyme_const, N);
  int bad = differing(objective, x, d, N);
  MPI_Finalize();
  return bad != 0;
}
