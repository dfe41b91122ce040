// A structure with the bytes of an iterator is passed and returned by value.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct iterator {
  unsigned char state[16];
};

static struct iterator make(const double *x, size_t n) {
  struct iterator it;
  memcpy(it.state, &x, 8);
  memcpy(it.state + 8, &n, 8);
  return it;
}

static const double *value(struct iterator it) {
  const double *p;
  memcpy(&p, it.state, 8);
  return p;
}

static size_t left(struct iterator it) {
  size_t n;
  memcpy(&n, it.state + 8, 8);
  return n;
}

static struct iterator next(struct iterator it) { return make(value(it) + 1, left(it) - 1); }

static double f(const double *x, size_t n) {
  double sum = 0.0;
  for (struct iterator it = make(x, n); left(it) > 0; it = next(it))
    sum += *value(it) * *value(it) * *value(it);
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
