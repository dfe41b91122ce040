// A record with a header of integers in front of its numbers, cleared integer by integer and used again: what the numbers
// held has no adjoint any more. A header alone, filled by a function that gets a pointer to it, is no matter.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

typedef int __attribute__((may_alias)) part;

struct record {
  int header[18];
  double numbers[6];
};

static void fill(int *to, int n, int by) {
  for (int i = 0; i < n; i++) to[i] = by;
}

static double f(double *x, int n) {
  struct record *r = malloc(sizeof *r);
  double sum = 0;
  for (int round = 0; round < 2; round++) {
    fill(r->header, 18, n);
    for (int i = 0; i < n; i++) r->numbers[i] = x[i] * x[i];
    fill(r->header, 3, 0);
    for (int i = 0; i < r->header[3]; i++) sum += (round + 1) * r->numbers[i];
    part *parts = (part *)r;
    for (int i = 0; i < (int)(sizeof *r / sizeof *parts); i++) parts[i] = 0;
    for (int i = 0; i < n; i++) sum += x[0] * r->numbers[i] + 0.25 * x[1] * r->header[i];
  }
  free(r);
  return sum;
}

int main(void) {
  double x[4] = {1.3, 2.4, -0.7, 3.9}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
