// Teams within teams. The scratch of the reverse pass has a slot for each thread, and the slot is chosen by the
// number that a thread has in its inner team: the teams share their slots.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

enum { OUTER = 2, INNER = 2 };

static void blocks(const double *x, double *y) {
#pragma omp parallel for num_threads(OUTER)
  for (int b = 0; b < OUTER; b++) {
#pragma omp parallel for num_threads(INNER)
    for (int i = 0; i < INNER; i++)
      y[b * INNER + i] = x[b * INNER + i] * x[b * INNER + i] * x[b * INNER + i];
  }
}

static void blocks_reverse(const double *x, double *dx, double *y, double *dy) {
  volatile double scratch[INNER];
  blocks(x, y);
#pragma omp parallel for num_threads(OUTER)
  for (int b = 0; b < OUTER; b++) {
#pragma omp parallel for num_threads(INNER)
    for (int i = 0; i < INNER; i++) {
      int cell = b * INNER + i, own = omp_get_thread_num();
      scratch[own] = dy[cell]; //~ race
      dx[cell] += 3.0 * x[cell] * x[cell] * scratch[own];
      dy[cell] = 0.0;
    }
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  double x[4] = {1.0, 2.0, 0.5, 1.5}, dx[4] = {0}, y[4], dy[4] = {1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)blocks, (void *)blocks_reverse, x, dx, y, dy);
  printf("%g\n", y[3]);
  return 0;
}
