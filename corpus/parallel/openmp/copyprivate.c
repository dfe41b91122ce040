// What one thread has computed, all get a copy of: numbers, an array, an index, the address of memory. In the reverse
// pass all of them add to the adjoints of that one.
// adj-flags: -fopenmp
#include "differences.h"
#include <stdlib.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double sum = 0, rest = 0;
#pragma omp parallel reduction(+ : sum, rest)
  {
    double scale, pair[2], *squares;
    int round;
    for (int j = 0; j < 3; j++) {
#pragma omp single copyprivate(scale, pair, round)
      {
        scale = x[j] * x[j + 1];
        pair[0] = sin(scale);
        pair[1] = x[3];
        round = j;
      }
      pair[0] += scale;
#pragma omp for
      for (int i = 0; i < n; i++)
        sum += (scale + pair[0] * pair[1]) * x[i] * (round + 1);
    }
#pragma omp single copyprivate(squares)
    {
      squares = malloc(n * sizeof *squares);
      for (int i = 0; i < n; i++)
        squares[i] = x[i] * x[i];
    }
#pragma omp for
    for (int i = 0; i < n; i++)
      rest += squares[i] * squares[(i + 1) % n];
#pragma omp single
    free(squares);
  }
  return sum * rest;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
