// Copies and fills of a length known only at run time: some records of an array, one structure, the first fields of a structure.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct particle {
  double position[2];
  int charge;
  float mass;
};

static __attribute__((noinline)) void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
static __attribute__((noinline)) void clear(void *to, size_t bytes) { memset(to, 0, bytes); }

static double energy(const struct particle *p) {
  return p->mass * (p->position[0] * p->position[0] + p->position[1]) * (double)(p->charge + 1);
}

static double simulate(const double *x, int n) {
  struct particle *now = malloc((size_t)n * sizeof *now);
  struct particle *old = malloc((size_t)n * sizeof *old);
  struct particle first;
  for (int i = 0; i < n; i++) {
    struct particle p = {{x[i], x[i] * x[(i + 1) % n]}, i, (float)(1.0 + x[i] * x[i])};
    now[i] = p;
  }
  copy(old, now, (size_t)n * sizeof *now);
  copy(&first, &now[1], sizeof first);
  clear(&now[n - 2], 2 * sizeof *now);
  copy(&now[0], &first, 2 * sizeof(double));
  double sum = energy(&first);
  for (int i = 0; i < n; i++)
    sum += energy(&old[i]) * (i + 1) + energy(&now[i]);
  free(now);
  free(old);
  return sum;
}

int main(void) {
  double x[5] = {0.4, -0.7, 1.1, 0.9, -0.3}, d[5] = {0};
  __enzyme_autodiff((void *)simulate, enzyme_dup, x, d, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
