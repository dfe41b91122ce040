// A tangent, whose threads reduce the greatest number and beside it the greatest tangent, and not the tangent of the
// greatest number. Nothing was overwritten: a local derivative is wrong.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double highest(const double *h, int n) {
  double top = -1e300;
#pragma omp parallel for reduction(max : top) num_threads(3)
  for (int i = 0; i < n; i++)
    top = h[i] > top ? h[i] : top;
  return top;
}

static double highest_forward(const double *h, const double *th, int n) {
  double top = -1e300, ttop = -1e300;
#pragma omp parallel for reduction(max : top, ttop) num_threads(3)
  for (int i = 0; i < n; i++) {
    top = h[i] > top ? h[i] : top;
    ttop = th[i] > ttop ? th[i] : ttop;
  }
  return ttop; //~ wrong: rule
}

int main(void) {
  double h[6] = {1.0, 4.0, 2.0, 7.0, 3.0, 5.0}, th[6] = {0.5, 2.0, -1.0, 0.25, 3.0, 1.0};
  __adj_check_tangent((void *)highest, (void *)highest_forward, enzyme_dup, h, th, enzyme_const, 6);
  printf("%g\n", highest(h, 6));
  return 0;
}
