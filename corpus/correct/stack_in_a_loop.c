// alloca in a loop: each trip has a buffer of its own, and all of them live until the function returns.
#include "adj.h"
#include <stdlib.h>

struct link {
  double value;
  struct link *before;
};

static double chain(const double *x, int n) {
  struct link *last = 0;
  for (int i = 0; i < n; i++) {
    struct link *l = __builtin_alloca(sizeof *l);
    l->value = x[i] * (last ? last->value : 1.0) + 0.5;
    l->before = last;
    last = l;
  }
  double s = 0.0;
  for (struct link *l = last; l; l = l->before) s += l->value * l->value;
  return s;
}

static double triangle(const double *x, int n) {
  double s = 0.0;
  for (int i = 1; i <= n; i++) {
    double *row = __builtin_alloca((size_t)i * sizeof *row);
    for (int j = 0; j < i; j++) row[j] = x[j] * (j == 0 ? x[i - 1] : row[j - 1]);
    s += row[i - 1] * row[i / 2];
  }
  return s;
}

int main(void) {
  double x[5] = {0.5, 1.5, -0.75, 2.0, 0.3}, dx[5] = {0}, dy[5] = {0};
  __enzyme_autodiff((void *)chain, enzyme_dup, x, dx, enzyme_const, 5);
  __enzyme_autodiff((void *)triangle, enzyme_dup, x, dy, enzyme_const, 5);
  return dx[0] != 0.0 && dy[0] != 0.0 ? 0 : 1;
}
