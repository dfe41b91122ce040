// One of two threads computes a number for both (single). In the reverse pass both threads reverse what only one of
// them did. Evidence: the component is exactly twice the right one.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

static void columns(const double *height, double *base, double *y) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    *base = *height * *height;
    int own = omp_get_thread_num();
    y[own] = (1.0 + own) * *base;
  }
}

static void columns_reverse(const double *height, double *dheight, double *base, double *dbase, double *y,
                            double *dy) {
  columns(height, base, y);
#pragma omp parallel num_threads(2)
  {
    int own = omp_get_thread_num();
    double increment = (1.0 + own) * dy[own];
    dy[own] = 0.0;
#pragma omp atomic
    *dbase += increment;
#pragma omp barrier
    increment = 2.0 * *height * *dbase;
#pragma omp atomic
    *dheight += increment; //~ wrong: double-add
  }
  *dbase = 0.0;
}

int main(void) {
  double height = 1.5, dheight = 0.0, base, dbase = 0.0, y[2], dy[2] = {1.0, 0.5};
  __adj_check_gradient((void *)columns, (void *)columns_reverse, &height, &dheight, &base, &dbase, y, dy);
  printf("%g %g\n", y[0], y[1]);
  return 0;
}
