// The adjoint of a product that threads reduce is the product divided by each factor, and one of the factors is zero.
// Evidence: what is stored for that factor is not a number; at its neighbours the same formula is right.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double reliability(const double *part, int n) {
  double all = 1.0;
#pragma omp parallel for reduction(* : all) num_threads(3)
  for (int i = 0; i < n; i++)
    all *= part[i];
  return all;
}

static void reliability_reverse(const double *part, double *dpart, int n, double seed) {
  double all = reliability(part, n);
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < n; i++)
    dpart[i] += seed * all / part[i]; //~ wrong: edge
}

int main(void) {
  double part[6] = {0.9, 0.5, 0.75, 0.0, 0.8, 0.6}, dpart[6] = {0};
  __adj_check_gradient((void *)reliability, (void *)reliability_reverse, enzyme_dup, part, dpart, enzyme_const, 6, 1.0);
  printf("%g\n", reliability(part, 6));
  return 0;
}
