// Each thread has a slot for what is in between, and its iterations set it anew. In the reverse pass the slot's
// shadow is cleared once for each thread, and not for each iteration. Evidence: the slots are set more often than
// their shadows are cleared, and the adjoints of dead values survive.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

enum { THREADS = 2, CHUNK = 3, N = THREADS * CHUNK };

static void powers(const double *x, double *slot, double *y) {
#pragma omp parallel num_threads(THREADS)
  {
    int own = omp_get_thread_num();
    for (int i = own * CHUNK; i < (own + 1) * CHUNK; i++) {
      slot[own] = x[i] * x[i];
      y[i] = slot[own] * slot[own];
    }
  }
}

static void powers_reverse(const double *x, double *dx, double *slot, double *dslot, double *y, double *dy) {
  powers(x, slot, y);
#pragma omp parallel num_threads(THREADS)
  {
    int own = omp_get_thread_num();
    for (int i = (own + 1) * CHUNK - 1; i >= own * CHUNK; i--) {
      dslot[own] += 2.0 * x[i] * x[i] * dy[i];
      dy[i] = 0.0;
      dx[i] += 2.0 * x[i] * dslot[own]; //~ wrong: stale-shadow
    }
    dslot[own] = 0.0;
  }
}

int main(void) {
  double x[N] = {1.0, 0.5, 2.0, -1.0, 1.5, 0.25}, dx[N] = {0}, slot[THREADS], dslot[THREADS] = {0.5, 0.25}, y[N];
  double dy[N] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)powers, (void *)powers_reverse, x, dx, slot, dslot, y, dy);
  printf("%g\n", y[5]);
  return 0;
}
