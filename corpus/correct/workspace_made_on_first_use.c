/* A workspace that belongs to the caller's context is allocated when it is first needed, and once more when it is too
 * small. Its shadow lies in the context's shadow from then on: the next calls use both, and the caller frees both. */
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct context {
  double *work;
  int room;
};

static double rolled(const double *x, int n, struct context *c) {
  if (c->room < n) {
    free(c->work);
    c->work = malloc((size_t)n * sizeof(double));
    c->room = n;
  }
  for (int i = 0; i < n; i++) c->work[i] = x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; i++) sum += c->work[i] * c->work[(i + 1) % n];
  return sum;
}

int main(void) {
  double x[5] = {0.7, 1.1, 0.9, -0.4, 1.3};
  struct context c = {0}, dc = {0};
  for (int call = 0; call < 4; call++) {
    int n = call < 2 ? 3 : 5;
    double dx[5] = {0}, *before = dc.work;
    __enzyme_autodiff((void *)rolled, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, &c, &dc);
    /* The shadow of memory that the function has freed is the caller's. */
    if (before && before != dc.work) free(before);
    for (int i = 0; i < n; i++) {
      double next = x[(i + 1) % n], last = x[(i + n - 1) % n], right = 2 * x[i] * (next * next + last * last);
      if (fabs(dx[i] - right) > 1e-12) return 1;
    }
  }
  free(c.work);
  free(dc.work);
  return 0;
}
