// A RIGHT gradient: threads multiply in a critical section in any order, and leave in the constant scratch found[] and
// turn[] what each saw. The result does not depend on the order; the content of the scratch does.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

static double decay(const double *rate, double *found, int *turn, int n) {
  double left = 1.0;
  int turns = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    {
      found[i] = left;
      left *= rate[i];
      turn[turns++] = i;
    }
  }
  return left;
}

static void decay_reverse(const double *rate, double *drate, double *found, int *turn, int n, double seed) {
  decay(rate, found, turn, n);
  double dleft = seed;
  for (int k = n - 1; k >= 0; k--) {
    int i = turn[k];
    drate[i] += found[i] * dleft;
    dleft *= rate[i];
  }
}

int main(void) {
  double rate[5] = {0.5, 0.75, 1.5, 0.25, 1.25}, drate[5] = {0}, found[5] = {0};
  int turn[5];
  __adj_check_gradient((void *)decay, (void *)decay_reverse, enzyme_dup, rate, drate, enzyme_const, found,
                       enzyme_const, turn, enzyme_const, 5, 1.0);
  printf("%g\n", decay(rate, found, turn, 5));
  return 0;
}
