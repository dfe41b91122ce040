// Forward mode of pointers that may or may not lead to constant memory: what comes from there has no tangent.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct point {
  double x, y;
};

static const double defaults[4] = {0.5, 1.5, 2.5, 3.5};

static double blend(const double *p, const double *q, const struct point *table, int n) {
  double sum = 0.0, scratch[4];
  for (int i = 0; i < n; i++) {
    const double *from = i % 2 ? p : q;
    sum += from[i] * from[i] * (i + 1);
  }
  const double *copied = n > 3 ? p : defaults;
  memcpy(scratch, copied, sizeof scratch);
  for (int i = 0; i < 4; i++)
    sum += scratch[i] * p[i];
  memcpy(scratch, n > 9 ? p : q, sizeof scratch);
  struct point local = {p[0], p[1]};
  const struct point *chosen = n > 2 ? &local : table;
  return sum * chosen->x + scratch[2] * chosen->y;
}

int main(void) {
  double p[4] = {1.0, 2.0, 3.0, 4.0}, dp[4] = {1.0, 0.5, -0.25, 2.0}, q[4] = {0.1, 0.2, 0.3, 0.4};
  struct point table[1] = {{2.0, 3.0}};
  printf("%.17g\n",
         __enzyme_fwddiff((void *)blend, enzyme_dup, p, dp, enzyme_const, q, enzyme_const, table, enzyme_const, 4));
  printf("%.17g\n",
         __enzyme_fwddiff((void *)blend, enzyme_dup, p, dp, enzyme_const, q, enzyme_const, table, enzyme_const, 2));
  return 0;
}
