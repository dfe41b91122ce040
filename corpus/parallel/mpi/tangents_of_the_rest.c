// Forward mode: types made from others, requests that are started again, operations that are only begun, extremes with
// their places, and numbers for each rank.
// adj-ranks: 3
#include "differences.h"
#define N 4

struct pair {
  double value;
  int index;
};

static double objective(double *x, int n) {
  int rank, size, out[8], there[8], in[8], here[8], sizes[8], all = 0, elements = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < size; i++) {
    out[i] = (rank + 2 * i) % 3, there[i] = i % 2;
    in[i] = (i + 2 * rank) % 3, here[i] = all, all += in[i] + 1;
    sizes[i] = (i + 1) % 3, elements += sizes[i];
  }
  double a[6] = {0}, b[6] = {0}, came[64], terms[64], total[N], part[8] = {0}, sum = 0;
  for (int i = 0; i < 64; i++) came[i] = 1;
  for (int i = 0; i < n; i++) a[i] = sin(x[i] * (i + 1));
  MPI_Datatype pairs;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pairs);
  MPI_Type_commit(&pairs);
  MPI_Sendrecv(a, 1, pairs, right, 1, &a[1], 1, pairs, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request r[4];
  MPI_Irecv(b, 1, pairs, left, 2, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&a[1], 1, pairs, right, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Iallreduce(x, total, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r[2]);
  MPI_Ibcast(&b[4], 2, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r[3]);
  for (int left_over = 4, done, places[4]; left_over > 0; left_over -= done)
    MPI_Waitsome(4, r, &done, places, MPI_STATUSES_IGNORE);
  MPI_Type_free(&pairs);
  for (int i = 0; i < n; i++) sum += a[i] * b[i] * total[i] * (rank + i + 1);
  MPI_Recv_init(&b[1], n, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(a, n, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &r[1]);
  for (int step = 0; step < 2; step++) {
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) a[i] += 0.3 * b[i + 1] * x[i];
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
  struct pair mine = {a[0], rank}, most;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Alltoallv(a, out, there, MPI_DOUBLE, came, in, here, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < all; i++) sum += (i + rank + 1) * sin(came[i]) * x[i % n];
  for (int i = 0; i < elements; i++) terms[i] = (i + 1) * a[i % n] * x[i % n];
  MPI_Reduce_scatter(terms, part, sizes, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < sizes[rank]; i++) sum += part[i] * part[i] * x[0] / 10;
  return sum + most.value * most.value * (1 + most.index) * x[1];
}

static double tangent_is(double *x, double *v) {
  double at[N], direction[N];
  for (int i = 0; i < N; i++) at[i] = x[i], direction[i] = v[i];
  return __enzyme_fwddiff((void *)objective, enzyme_dup, at, direction, enzyme_const, N);
}

// Over all ranks, the tangent in a direction is the product of the gradient and the direction.
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[N], v[N], at[N], d[N] = {0}, both[2] = {0}, sums[2];
  for (int i = 0; i < N; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i, v[i] = sin(rank + 2 * i + 1);
  both[0] = tangent_is(x, v);
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, N);
  for (int i = 0; i < N; i++) both[1] += d[i] * v[i];
  MPI_Allreduce(both, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int bad = !(fabs(sums[0] - sums[1]) <= 1e-12 * (1 + fabs(sums[1]))) || differing(objective, x, d, N);
  if (bad) printf("rank %d: tangent %.17g, gradient %.17g\n", rank, sums[0], sums[1]);
  MPI_Finalize();
  return bad != 0;
}
