// The gradient leaves memory in the caller's shadow that it has freed.
#include "adj.h"
#include <stdlib.h>

struct box {
  double *value;
};

static double f(const double *x, struct box *b) {
  b->value = malloc(sizeof(double));
  b->value[0] = x[0] * x[0];
  return b->value[0] * x[0];
}

static void df(const double *x, double *dx, struct box *b, struct box *db, double seed) { //~ wrong: stale-shadow
  b->value = malloc(sizeof(double));
  double *adjoint = calloc(1, sizeof(double));
  db->value = adjoint;
  b->value[0] = x[0] * x[0];
  adjoint[0] += seed * x[0];
  dx[0] += seed * b->value[0];
  dx[0] += adjoint[0] * 2 * x[0];
  free(adjoint);
}

int main(void) {
  double x[1] = {0.7}, dx[1] = {0};
  struct box b = {NULL}, db = {NULL};
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, enzyme_dup, &b, &db, 1.0);
  free(b.value);
  return 0;
}
