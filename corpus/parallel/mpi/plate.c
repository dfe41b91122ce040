// The heat equation on a plate that a Cartesian communicator splits up: halos are exchanged with four neighbours, the
// columns of the plate by a vector type.
// adj-ranks: 4
#include "differences.h"
#include <stdlib.h>
#include <string.h>
#define NX 2
#define NY 3
#define AT(i, j) ((i) * (NY + 2) + (j))

struct plate {
  MPI_Comm grid;
  int up, down, left, right;
  MPI_Datatype column;
};

static void exchange(double *u, const struct plate *p) {
  MPI_Request r[8];
  MPI_Irecv(&u[AT(0, 1)], NY, MPI_DOUBLE, p->up, 0, p->grid, &r[0]);
  MPI_Irecv(&u[AT(NX + 1, 1)], NY, MPI_DOUBLE, p->down, 1, p->grid, &r[1]);
  MPI_Irecv(&u[AT(1, 0)], 1, p->column, p->left, 2, p->grid, &r[2]);
  MPI_Irecv(&u[AT(1, NY + 1)], 1, p->column, p->right, 3, p->grid, &r[3]);
  MPI_Isend(&u[AT(NX, 1)], NY, MPI_DOUBLE, p->down, 0, p->grid, &r[4]);
  MPI_Isend(&u[AT(1, 1)], NY, MPI_DOUBLE, p->up, 1, p->grid, &r[5]);
  MPI_Isend(&u[AT(1, NY)], 1, p->column, p->right, 2, p->grid, &r[6]);
  MPI_Isend(&u[AT(1, 1)], 1, p->column, p->left, 3, p->grid, &r[7]);
  MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
}

static double objective(double *x, int n) {
  int size, dims[2] = {0, 0}, periods[2] = {0, 1};
  struct plate p;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &p.grid);
  MPI_Cart_shift(p.grid, 0, 1, &p.up, &p.down);
  MPI_Cart_shift(p.grid, 1, 1, &p.left, &p.right);
  MPI_Type_vector(NX, 1, NY + 2, MPI_DOUBLE, &p.column);
  MPI_Type_commit(&p.column);
  double *u = calloc((NX + 2) * (NY + 2), sizeof *u), *next = calloc((NX + 2) * (NY + 2), sizeof *next);
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++) u[AT(i + 1, j + 1)] = x[(i * NY + j) % n];
  for (int step = 0; step < 3; step++) {
    exchange(u, &p);
    for (int i = 1; i <= NX; i++)
      for (int j = 1; j <= NY; j++) {
        double laplace = u[AT(i - 1, j)] + u[AT(i + 1, j)] + u[AT(i, j - 1)] + u[AT(i, j + 1)] - 4 * u[AT(i, j)];
        next[AT(i, j)] = u[AT(i, j)] + 0.1 * (1 + u[AT(i, j)] * u[AT(i, j)]) * laplace;
      }
    double *swap = u;
    u = next;
    next = swap;
  }
  double energy = 0, total;
  for (int i = 1; i <= NX; i++)
    for (int j = 1; j <= NY; j++) energy += u[AT(i, j)] * u[AT(i, j)] * (i + j);
  MPI_Allreduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, p.grid);
  free(u);
  free(next);
  MPI_Type_free(&p.column);
  MPI_Comm_free(&p.grid);
  return total * total / 50;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[6], at[6], d[6] = {0};
  for (int i = 0; i < 6; i++) at[i] = x[i] = 0.3 * (rank + 1) + 0.1 * i;
  __enzyme_autodiff((void *)objective, enzyme_dup, at, d, enzyme_const, 6);
  int bad = differing(objective, x, d, 6);
  MPI_Finalize();
  return bad != 0;
}
