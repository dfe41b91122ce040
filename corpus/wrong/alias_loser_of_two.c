// Two sections look for the greatest load, one in each array, and the greater of the two is the result. Its adjoint
// goes to the array of the second section, whichever has won. Evidence: what one object lacks another has too much.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static int greatest(const double *load, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    best = load[i] > load[best] ? i : best;
  return best;
}

static double peak(const double *left, const double *right, int n) {
  int best[2];
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    best[0] = greatest(left, n);
#pragma omp section
    best[1] = greatest(right, n);
  }
  return left[best[0]] > right[best[1]] ? left[best[0]] : right[best[1]];
}

static void peak_reverse(const double *left, double *dleft, const double *right, double *dright, int n, double seed) {
  int best[2];
  double *owner[2] = {dleft, dright};
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    best[0] = greatest(left, n);
#pragma omp section
    best[1] = greatest(right, n);
  }
  owner[1][best[1]] += seed; //~ wrong: alias
}

int main(void) {
  double left[4] = {1.0, 7.5, 2.0, 3.0}, right[4] = {4.0, 0.5, 6.0, 2.5}, dleft[4] = {0}, dright[4] = {0};
  __adj_check_gradient((void *)peak, (void *)peak_reverse, enzyme_dup, left, dleft, enzyme_dup, right, dright,
                       enzyme_const, 4, 2.0);
  printf("%g\n", peak(left, right, 4));
  return 0;
}
