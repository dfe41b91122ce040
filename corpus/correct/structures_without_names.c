// Small structures by value in IR without names, where debug information tells which parameters belong together: behind
// a structure that is returned through memory, too.
//
// adj-flags: -fdiscard-value-names
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
  double x, y;
};
struct three {
  double a, b, c;
};

static double cubic(int n, struct pair p) { return n * p.x * p.x * p.x + 5 * p.y * p.y; }

static struct three turned(struct pair p, double s) {
  struct three t = {p.x * p.y, s * p.x, p.y};
  return t;
}

struct three __enzyme_fwddiff_three(void *, ...);

static void is(double got, double expected) {
  printf("%g\n", got);
  if (!(fabs(got - expected) < 1e-12 * fabs(expected)))
    abort();
}

int main(void) {
  struct pair p = {2, 3}, dp = {7, 50};
  is(__enzyme_fwddiff((void *)cubic, enzyme_const, 2, enzyme_dup, p, dp), 24 * 7 + 30 * 50);
  struct three t = __enzyme_fwddiff_three((void *)turned, enzyme_dup, p, dp, enzyme_dup, 4.0, 0.5);
  is(t.a, 7 * 3 + 2 * 50);
  is(t.b, 0.5 * 2 + 4 * 7);
  is(t.c, 50);
  return 0;
}
