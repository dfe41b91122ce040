// A slot holds a number or refers to a cell. It is changed in a variable, which an optimiser moves as a `double`,
// whatever is in it.
#include "adj.h"
#include <stdio.h>

struct slot {
  int refers;
  union {
    double value;
    double *cell;
  } u;
};

static double smoothed(const double *x) {
  double cells[4] = {x[0], 0.5, x[1], 0.25}, sum = 0.0;
  struct slot ring[4], one;
  for (int i = 0; i < 4; i++) {
    one.refers = (i + 1) & 1;
    if (one.refers)
      one.u.cell = cells + i;
    else
      one.u.value = 0.5 * cells[i];
    ring[i] = one;
  }
  for (int i = 0; i < 7; i++) {
    one = ring[i & 3];
    double v = one.refers ? *one.u.cell : one.u.value;
    sum = 0.5 * sum + 0.1 * v * cells[1];
    one.refers = !one.refers;
    if (one.refers)
      one.u.cell = cells + (i & 1);
    else
      one.u.value = 0.4 * v + 0.1 * sum;
    ring[i & 3] = one;
  }
  return sum;
}

int main(void) {
  double x[2] = {0.8139, -1.5}, d[2] = {0};
  __enzyme_autodiff((void *)smoothed, enzyme_dup, x, d);
  printf("%.9f %.9f\n", d[0], d[1]);
  return 0;
}
