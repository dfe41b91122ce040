// A visitor: a callback with a context pointer, which stores into the context.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct Stats {
  double sum, squares;
  double *kept;
  int count;
};

static void add(void *context, double value) {
  struct Stats *s = context;
  s->sum += value;
  s->squares += value * value;
}

static void keep(void *context, double value) {
  struct Stats *s = context;
  s->kept[s->count++] = value * s->sum;
}

static void each(const double *x, int n, void (*visit)(void *, double), void *context) {
  for (int i = 0; i < n; i++)
    visit(context, x[i]);
}

static double score(const double *x, int n) {
  struct Stats s = {0.0, 0.0, malloc(n * sizeof(double)), 0};
  each(x, n, add, &s);
  each(x, n, keep, &s);
  double out = s.squares;
  for (int i = 0; i < s.count; i++)
    out += s.kept[i] / (i + 1);
  free(s.kept);
  return out;
}

int main(void) {
  double x[4] = {0.5, -1.25, 2.0, 0.75}, dx[4] = {0};
  __enzyme_autodiff((void *)score, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
