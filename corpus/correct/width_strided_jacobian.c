// A whole Jacobian with one pointer to all shadows: in each direction the shadow lies so many bytes behind the one before.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 4

extern int enzyme_dupv, enzyme_dupnoneedv;
void __enzyme_fwddiff_rows(void *, ...);

static void chain(const double *x, double *y) {
  for (int i = 0; i < N; i++)
    y[i] = x[i] * sin(x[(i + 1) % N]) + (i ? y[i - 1] : 0.0) * x[0];
}

int main(void) {
  double x[N] = {0.5, 1.5, -0.25, 2.0}, y[N] = {0}, unit[N][N] = {{0}}, jacobian[N][N] = {{0}};
  for (int i = 0; i < N; i++)
    unit[i][i] = 1.0;
  __enzyme_fwddiff_rows((void *)chain, enzyme_width, N, enzyme_dupv, sizeof unit[0], x, unit, enzyme_dupnoneedv,
                        sizeof jacobian[0], y, jacobian);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%.12g%c", jacobian[i][j], j + 1 < N ? ' ' : '\n');
  return 0;
}
