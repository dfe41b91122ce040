// A table index computed by truncation exactly at a node: the slopes on both sides differ.
#include "adj.h"
#include <stdio.h>

static double lookup(const double *table, double x) {
  int i = (int)x; //~ kink
  double f = x - i;
  return table[i] * (1.0 - f) + table[i + 1] * f;
}

int main(void) {
  const double table[4] = {0.0, 1.0, 4.0, 9.0};
  const double points[2] = {0.5, 2.0};
  for (int i = 0; i < 2; i++) {
    double d = __enzyme_autodiff((void *)lookup, enzyme_const, table, enzyme_out, points[i]);
    printf("%.17g", lookup(table, points[i]));
    if (i == 0)
      printf(" %.17g", d);
    printf("\n");
  }
  return 0;
}
