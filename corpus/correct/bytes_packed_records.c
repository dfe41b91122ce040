// Records without padding, with pointers and numbers at odd places, go through a buffer of bytes.
#include "adj.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) record {
  char kind;
  int id;
  const double *value;
  double weight;
};

static double f(const double *x, size_t n) {
  char buffer[4 * sizeof(struct record)];
  for (size_t i = 0; i < n; i++) {
    struct record r = {'a', (int)i, x + i, 3.0 * x[i]};
    memcpy(buffer + i * sizeof r, &r, sizeof r);
  }
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    struct record r;
    memcpy(&r, buffer + i * sizeof r, sizeof r);
    sum += r.weight * *r.value + r.id;
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
