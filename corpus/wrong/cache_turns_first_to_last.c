// Threads multiply into one number in a critical section, in any order; each keeps what it found and its turn. The
// reverse pass takes the turns first to last, and not last to first. Evidence: the number was overwritten at each
// turn, and what is found on the tape is met by the adjoint of another turn.
// adj-flags: -fopenmp
#include "adj.h"
#include <stdio.h>

enum { N = 5 };

static void decay(double *left, const double *rate) {
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    *left *= rate[i];
  }
}

static void decay_reverse(double *left, double *dleft, const double *rate, double *drate) {
  double found[N];
  int turn[N], turns = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    {
      found[turns] = *left;
      *left *= rate[i];
      turn[turns++] = i;
    }
  }
  for (int k = 0; k < N; k++) {
    drate[turn[k]] += found[k] * *dleft; //~ wrong: cache
    *dleft *= rate[turn[k]];
  }
}

int main(void) {
  double left = 1.5, dleft = 1.0, rate[N] = {0.5, 0.75, 1.5, 0.25, 1.25}, drate[N] = {0};
  __adj_check_gradient((void *)decay, (void *)decay_reverse, enzyme_dup, &left, &dleft, enzyme_dup, rate, drate);
  printf("%g\n", left);
  return 0;
}
