// Type: a structure of an integer and doubles is walked as an array of doubles, so that a derivative
// is added to the bytes of the shadow's integer. Evidence: a floating-point store lands on a cell
// that the primal reads as an integer, and the shadow's integer is changed.
#include "adj.h"
#include <stdio.h>

struct row {
  long count;
  double value[3];
};

static double total(const struct row *r) {
  double sum = 0.0;
  for (long i = 0; i < r->count; i++)
    sum += r->value[i] * r->value[i];
  return sum;
}

static void dtotal(const struct row *r, struct row *dr, double seed) {
  const double *x = (const double *)r;
  double *dx = (double *)dr;
  for (int i = 1; i < 4; i++)
    dx[i] += 2.0 * x[i] * seed;
  dx[0] += seed; //~ wrong: type
}

int main(void) {
  struct row r = {3, {1.0, -2.0, 0.5}}, dr = {3, {0, 0, 0}};
  __adj_check_gradient((void *)total, (void *)dtotal, enzyme_dup, &r, &dr, 1.0);
  printf("%.17g\n", total(&r));
  return 0;
}
