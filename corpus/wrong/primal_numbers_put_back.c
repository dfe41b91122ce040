// The threads replace each number by its root. The reverse pass takes the old numbers from the tape and puts them
// back, which nobody asked for. Evidence: primal memory is not what the primal leaves.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { N = 6 };

static void roots(double *x) {
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < N; i++)
    x[i] = sqrt(x[i]);
}

static void roots_reverse(double *x, double *dx) {
  double tape[N];
#pragma omp parallel num_threads(3)
  {
#pragma omp for
    for (int i = 0; i < N; i++) {
      tape[i] = x[i];
      x[i] = sqrt(x[i]);
    }
#pragma omp for
    for (int i = 0; i < N; i++) {
      x[i] = tape[i]; //~ wrong: primal-corruption
      dx[i] /= 2.0 * sqrt(x[i]);
    }
  }
}

int main(void) {
  double x[N] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, dx[N] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  __adj_check_gradient((void *)roots, (void *)roots_reverse, x, dx);
  printf("%g\n", x[5]);
  return 0;
}
