// A heat equation on a ring of ranks, three steps of it, and its gradient by hand. The halo is exchanged by messages
// that overlap in the primal, and one by one in the gradient; a constant is on its way when the call begins.
#include <adj.h>
#include <math.h>
#include <mpi.h>
#define N 5
static void exchange(const double *out, int to, double *in, int from, int tag) {
  MPI_Sendrecv(out, 1, MPI_DOUBLE, to, tag, in, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static double energy(const double *u0, int me, int all) {
  double u[N + 2], v[N + 2], k, s = 0.0, total;
  MPI_Recv(&k, 1, MPI_DOUBLE, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; i++) u[i + 1] = u0[i];
  for (int t = 0; t < 3; t++) {
    MPI_Request r[4];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, (me + all - 1) % all, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, (me + 1) % all, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, (me + all - 1) % all, 2, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(&u[N], 1, MPI_DOUBLE, (me + 1) % all, 1, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= N; i++) v[i] = u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i <= N; i++) u[i] = v[i];
  }
  for (int i = 1; i <= N; i++) s += u[i] * u[i];
  MPI_Allreduce(&s, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(total);
}
static void energy_reverse(const double *u0, double *d0, int me, int all, double seed) {
  double u[N + 2], v[N + 2], k, s = 0.0, total, d[N + 2], e[N + 2], own, sum;
  MPI_Recv(&k, 1, MPI_DOUBLE, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; i++) u[i + 1] = u0[i];
  for (int t = 0; t < 3; t++) {
    exchange(&u[N], (me + 1) % all, &u[0], (me + all - 1) % all, 1);
    exchange(&u[1], (me + all - 1) % all, &u[N + 1], (me + 1) % all, 2);
    for (int i = 1; i <= N; i++) v[i] = u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i <= N; i++) u[i] = v[i];
  }
  for (int i = 1; i <= N; i++) s += u[i] * u[i];
  MPI_Allreduce(&s, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  own = seed / (2 * sqrt(total));
  MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 1; i <= N; i++) d[i] = 2 * u[i] * sum;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i <= N + 1; i++) e[i] = 0;
    for (int i = 1; i <= N; i++) {
      e[i - 1] += k * d[i];
      e[i] += (1 - 2 * k) * d[i];
      e[i + 1] += k * d[i];
    }
    double from_right, from_left;
    exchange(&e[0], (me + all - 1) % all, &from_right, (me + 1) % all, 3);
    exchange(&e[N + 1], (me + 1) % all, &from_left, (me + all - 1) % all, 4);
    e[N] += from_right;
    e[1] += from_left;
    for (int i = 1; i <= N; i++) d[i] = e[i];
  }
  for (int i = 0; i < N; i++) d0[i] += d[i + 1];
}
int main(int argc, char **argv) {
  int me, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double k = 0.2, u[N], d[N] = {0};
  MPI_Request r[8];
  if (me == 0)
    for (int q = 0; q < all; q++) MPI_Isend(&k, 1, MPI_DOUBLE, q, 99, MPI_COMM_WORLD, &r[q]);
  for (int i = 0; i < N; i++) u[i] = sin(1.0 + i + N * me);
  __adj_check_gradient((void *)energy, (void *)energy_reverse, enzyme_dup, u, d, enzyme_const, me, enzyme_const, all,
                       1.0 + 0.5 * me);
  if (me == 0) MPI_Waitall(all, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
