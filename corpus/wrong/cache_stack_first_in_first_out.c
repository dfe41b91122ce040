// Each thread pushes the states of its row on a stack, and the reverse pass takes them from its bottom upwards.
// Evidence: the factor of each step is the state of another step.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

enum { ROWS = 3, STEPS = 4 };

static void rows(double *x) {
#pragma omp parallel for num_threads(2)
  for (int r = 0; r < ROWS; r++)
    for (int k = 0; k < STEPS; k++)
      x[r] = x[r] * (1.0 + 0.25 * k * x[r]);
}

static void rows_reverse(double *x, double *dx) {
#pragma omp parallel for num_threads(2)
  for (int r = 0; r < ROWS; r++) {
    double stack[STEPS];
    int top = 0, bottom = 0;
    for (int k = 0; k < STEPS; k++) {
      stack[top++] = x[r];
      x[r] = x[r] * (1.0 + 0.25 * k * x[r]);
    }
    for (int k = STEPS - 1; k >= 0; k--)
      dx[r] *= 1.0 + 0.5 * k * stack[bottom++]; //~ wrong: cache
  }
}

int main(void) {
  double x[ROWS] = {0.5, 1.25, 0.1}, dx[ROWS] = {1.0, 1.0, 1.0};
  __adj_check_gradient((void *)rows, (void *)rows_reverse, x, dx);
  printf("%g\n", x[0]);
  return 0;
}
