// Pointers at the start of a block, reached from its end by negative indices; numbers from its start by an index that is
// not known: how far either goes, only the run tells. The block is copied as a whole, and as words.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double from_the_end(double *x, long n, long numbers) {
  char *p = malloc(56), *q = malloc(56);
  for (long i = 0; i < n; i++) {
    *(double **)(p + 56 + (8 * i - 56)) = x + (i & 1);
  }
  for (long i = 0; i < numbers; i++) {
    ((double *)p)[n + i] = x[0] * x[i & 1];
  }
  memcpy(q, p, 56);
  double sum = 0;
  for (long i = 0; i < n; i++) {
    sum += *((double **)(q + 56))[i - 7] * (i + 2);
  }
  for (long i = 0; i < numbers; i++) {
    sum += ((double *)q)[n + i];
  }
  free(p);
  free(q);
  return sum;
}

static double beside_one(double *x, long n, long clear) {
  char *p = malloc(64);
  void *words[8];
  if (clear) {
    *(double *)p = x[1];
  }
  double front = clear ? *(double *)p : 1.0;
  for (long i = 0; i < n; i++) {
    *(double **)(p + i * 8) = x + i % 2;
  }
  memcpy(words, p, 64);
  double sum = front;
  for (long i = 0; i < n; i++) {
    sum += *(double *)words[i] * *(double *)words[n - 1 - i];
  }
  free(p);
  return sum;
}

static double value(double *x, long n) { return from_the_end(x, n, 2) + beside_one(x, n, n > 2); }

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)value, enzyme_dup, x, dx, enzyme_const, 3L);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
