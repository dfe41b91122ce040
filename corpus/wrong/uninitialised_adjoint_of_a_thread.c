// Each thread has adjoints of its own for the two coefficients, and does not clear them before it adds to them.
// Evidence: a thread reads what nobody has written, and it gets into the shadow of the coefficients.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double line(const double *c, const double *x, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int i = 0; i < n; i++) {
    double distance = c[0] + c[1] * x[i] - x[i] * x[i];
    sum += distance * distance;
  }
  return sum;
}

static void line_reverse(const double *c, double *dc, const double *x, int n, double seed) {
#pragma omp parallel num_threads(3)
  {
    volatile double own[2];
#pragma omp for
    for (int i = 0; i < n; i++) {
      double ddistance = 2.0 * (c[0] + c[1] * x[i] - x[i] * x[i]) * seed;
      own[0] += ddistance; //~ wrong: uninitialised
      own[1] += ddistance * x[i];
    }
#pragma omp critical
    for (int k = 0; k < 2; k++)
      dc[k] += own[k];
  }
}

int main(void) {
  double c[2] = {0.5, 1.5}, dc[2] = {0}, x[6] = {0.0, 0.5, 1.0, 1.5, 2.0, 2.5};
  __adj_check_gradient((void *)line, (void *)line_reverse, enzyme_dup, c, dc, enzyme_const, x, enzyme_const, 6, 1.0);
  printf("%g\n", line(c, x, 6));
  return 0;
}
