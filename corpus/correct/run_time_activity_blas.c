// Activity told at run time, and passed into routines of BLAS: the matrix, the vector or both are constant, by being their own shadow. A
// constant one stays as it is.
#include "adj.h"
#include <stdio.h>
#include <string.h>

extern int enzyme_runtime_activity;

void cblas_dgemv(int layout, int t, int m, int n, double alpha, const double *a, int lda, const double *x, int incx, double beta,
                 double *y, int incy);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);

static double quadratic(const double *a, const double *x, double *work, int n) {
  cblas_dgemv(101, 111, n, n, 1, a, n, x, 1, 0, work, 1);
  return cblas_ddot(n, x, 1, work, 1) + cblas_ddot(n, a, n, x, 1);
}

int main(void) {
  double a[9] = {2, -1, 0.5, 0.25, 3, 1, -0.75, 0.5, 1}, x[3] = {0.5, -1.25, 2}, work[3];
  double a_before[9], x_before[3];
  int wrong = 0;
  memcpy(a_before, a, sizeof a);
  memcpy(x_before, x, sizeof x);
  for (int kind = 0; kind < 3; kind++) {
    double da[9] = {0}, dx[3] = {0}, dwork[3] = {0};
    __enzyme_autodiff((void *)quadratic, enzyme_runtime_activity, enzyme_dup, a, kind == 1 ? a : da, enzyme_dup, x,
                      kind == 2 ? x : dx, enzyme_dup, work, dwork, enzyme_const, 3);
    for (int i = 0; i < 3; i++)
      printf("%.15g %.15g\n", da[4 * i], dx[i]);
    wrong += (da[0] == 0.0) != (kind == 1) || (dx[0] == 0.0) != (kind == 2);
    wrong += memcmp(a, a_before, sizeof a) != 0 || memcmp(x, x_before, sizeof x) != 0;
  }
  return wrong;
}
