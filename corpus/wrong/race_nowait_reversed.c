// The second loop reads what the first one has stored, and there is a barrier between them. In the reverse pass the
// loop that comes first does not wait (nowait), and the other one reads adjoints before they have come.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static void turn(const double *x, double *middle, double *y, int n) {
#pragma omp parallel num_threads(3)
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      middle[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < n; i++)
      y[i] = 0.5 * middle[(i + 2) % n];
  }
}

static inline __attribute__((always_inline)) void pass(const double *from, double *to, double factor) {
  *to += factor * *from; //~ race
}

static void turn_reverse(const double *x, double *dx, double *middle, double *dmiddle, double *y, double *dy, int n) {
  turn(x, middle, y, n);
#pragma omp parallel num_threads(3)
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      pass(&dy[i], &dmiddle[(i + 2) % n], 0.5);
#pragma omp for
    for (int i = 0; i < n; i++)
      pass(&dmiddle[i], &dx[i], 2.0 * x[i]);
  }
  for (int i = 0; i < n; i++)
    dmiddle[i] = dy[i] = 0.0;
}

int main(void) {
  double x[6] = {1, 2, 3, 4, 5, 6}, dx[6] = {0}, middle[6], dmiddle[6] = {0}, y[6], dy[6] = {1, 1, 1, 1, 1, 1};
  __adj_check_gradient((void *)turn, (void *)turn_reverse, enzyme_dup, x, dx, enzyme_dup, middle, dmiddle, enzyme_dup,
                       y, dy, enzyme_const, 6);
  printf("%g\n", dx[0]);
  return 0;
}
