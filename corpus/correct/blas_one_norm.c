// Level-1 routines that only move numbers or forget their signs: filling by an increment of zero, copies, exchanges and plane
// rotations of rows, and sums of moduli; in one call, and split, with everything overwritten in between.
#include "adj.h"
#include <stdio.h>

void cblas_dcopy(int n, const double *x, int incx, double *y, int incy);
void cblas_dswap(int n, double *x, int incx, double *y, int incy);
void cblas_drot(int n, double *x, int incx, double *y, int incy, double c, double s);
double cblas_dasum(int n, const double *x, int incx);

struct forward {
  void *tape;
  double value;
} __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

// A 3 by 3 matrix by rows, of which two are exchanged and two turned.
static double norm(double *a, const double *shift, double c, double s) {
  double column[3], moved[3];
  cblas_dcopy(3, shift, 0, column, 1);
  cblas_dswap(3, a, 1, a + 6, 1);
  cblas_drot(3, a, 1, a + 3, 1, c, s);
  cblas_dcopy(3, a + 1, 3, moved, -1);
  double sum = 0;
  for (int i = 0; i < 3; i++)
    column[i] += moved[i] * a[4 * i];
  // Of the nonzeros, since at zero a modulus has two slopes.
  sum += cblas_dasum(3, column, 1) * cblas_dasum(9, a, 1) + cblas_dasum(3, column, -1);
  return sum;
}

static void start(double *a, double *da) {
  for (int i = 0; i < 9; i++)
    a[i] = 0.25 * (5 * i % 7) - 0.625, da[i] = 0.125 * i;
}

int main(void) {
  double a[9], da[9], db[9], shift = 0.375, dshift = 0, eshift = 0;
  start(a, da);
  double dc = __enzyme_autodiff((void *)norm, enzyme_dup, a, da, enzyme_dup, &shift, &dshift, enzyme_out, 0.6, enzyme_const, 0.8);
  start(a, db);
  struct forward f = __enzyme_augmentfwd((void *)norm, enzyme_dup, a, db, enzyme_dup, &shift, &eshift, enzyme_out, 0.6, enzyme_const, 0.8);
  for (int i = 0; i < 9; i++)
    a[i] = -3;
  shift = 11;
  double ec = __enzyme_reverse((void *)norm, enzyme_dup, a, db, enzyme_dup, &shift, &eshift, enzyme_out, 0.6, enzyme_const, 0.8, 1.0, f.tape);
  int wrong = dc != ec || dshift != eshift;
  for (int i = 0; i < 9; i++) {
    wrong += da[i] != db[i];
    printf("%.10g ", da[i]);
  }
  printf("%.10g %.10g %.10g\n", f.value, dc, dshift);
  return wrong;
}
