#include <mpi.h>
#include <stdio.h>
extern int enzyme_dup; double __enzyme_autodiff(void *, ...);
static double f(double *x) {
  int r, p; MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &p);
  double y = x[0] * x[0], b; MPI_Request q;
  MPI_Sendrecv(&y, 1, MPI_DOUBLE, (r + 1) % p, 2, &b, 1, MPI_DOUBLE, (r + p - 1) % p, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Ibcast(&b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &q);   /* or Iallreduce, Igather, Iallgather, Ibarrier */
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  return b;
}
int main(int c, char **v) {
  MPI_Init(&c, &v); int r, p; MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &p);
  double x[1] = {3}, d[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  double want = r == p - 1 ? 6.0 * p : 0;                /* rank 0 got the number of the last rank */
  printf("rank %d: %g want %g\n", r, d[0], want); MPI_Finalize(); return d[0] != want;
}
