// A name in a record is the text of an active number, which is read back.
//
// adj-exit: 3
// adj-message: left the floats before
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct item {
  double weight;
  char name[32];
  double value;
};

static double f(const double *x, int n) {
  struct item items[4];
  double sum = 0;
  for (int i = 0; i < n; i++) {
    items[i].weight = x[i] * x[i];
    items[i].value = x[i];
    snprintf(items[i].name, sizeof items[i].name, "%.17g", x[i]);
  }
  for (int i = 0; i < n; i++)
    sum += items[i].weight * atof(items[i].name) + items[i].value;
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
