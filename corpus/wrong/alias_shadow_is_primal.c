// Alias: the shadow structure was copied from the primal, and its pointer still names the primal
// array. Evidence: a pointer in shadow memory leads to primal memory; visible at the call, before
// `df` writes its derivative over the primal data.
#include "adj.h"
#include <stdio.h>

struct series {
  int n;
  double *value;
};

static double sum_of_squares(const struct series *s) {
  double sum = 0.0;
  for (int i = 0; i < s->n; i++)
    sum += s->value[i] * s->value[i];
  return sum;
}

static void dsum_of_squares(const struct series *s, struct series *ds, double seed) {
  for (int i = 0; i < s->n; i++)
    ds->value[i] += 2.0 * s->value[i] * seed;
}

int main(void) {
  double value[4] = {1.0, -0.5, 2.0, 0.25};
  struct series s = {4, value}, ds = s;
  __adj_check_gradient((void *)sum_of_squares, (void *)dsum_of_squares, enzyme_dup, &s, &ds, 1.0); //~ wrong: alias
  printf("%.17g\n", value[0]);
  return 0;
}
