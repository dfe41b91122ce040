// Only a run tells whether the second row of a plane rotation, or of an exchange, is a variable or a constant. Where it is constant, what
// goes there from the first has no part in the derivative, and what comes from there has none.
#include "adj.h"
#include <stdio.h>

void cblas_dswap(int n, double *x, int incx, double *y, int incy);
void cblas_drot(int n, double *x, int incx, double *y, int incy, double c, double s);

static double turned(double *x, double *fixed, int own, double c, double s) {
  double *y = own ? x + 3 : fixed, sum = 0;
  cblas_drot(3, x, 1, y, 1, c, s);
  for (int i = 0; i < 6; i++)
    sum += x[i] * x[i] * (i + 1);
  return sum;
}

static double exchanged(double *x, double *fixed, int own) {
  double *y = own ? x + 3 : fixed, sum = 0;
  for (int i = 0; i < 3; i++)
    sum += x[i] * x[5 - i];
  cblas_dswap(3, x, 1, y, 1);
  for (int i = 0; i < 6; i++)
    sum += x[i] * x[i] * (i + 1);
  return sum;
}

struct two { double c, s; } __enzyme_autodiff_two(void *, ...);

static void start(double *x, double *dx, double *fixed) {
  for (int i = 0; i < 6; i++)
    x[i] = 0.5 * i - 0.75, dx[i] = 0.25 * (i % 4);
  for (int i = 0; i < 3; i++)
    fixed[i] = 1.5 - i;
}

int main(void) {
  double x[6], dx[6], fixed[3];
  for (int own = 0; own < 2; own++) {
    start(x, dx, fixed);
    struct two d = __enzyme_autodiff_two((void *)turned, enzyme_dup, x, dx, enzyme_const, fixed, enzyme_const, own, 0.6, 0.8);
    printf("%.10g %.10g %.10g %.10g", d.c, d.s, dx[0], dx[3]);
    start(x, dx, fixed);
    double t = __enzyme_fwddiff((void *)turned, enzyme_dup, x, dx, enzyme_const, fixed, enzyme_const, own, enzyme_dup, 0.6, 0.25,
                                enzyme_dup, 0.8, -0.5);
    start(x, dx, fixed);
    __enzyme_autodiff((void *)exchanged, enzyme_dup, x, dx, enzyme_const, fixed, enzyme_const, own);
    printf(" %.10g %.10g %.10g", t, dx[0], dx[3]);
    start(x, dx, fixed);
    t = __enzyme_fwddiff((void *)exchanged, enzyme_dup, x, dx, enzyme_const, fixed, enzyme_const, own);
    printf(" %.10g\n", t);
  }
  return 0;
}
