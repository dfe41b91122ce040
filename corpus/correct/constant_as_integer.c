// A constant structure of floats is copied over cells that nothing else reads: optimised code stores it as one integer.
// The shadows of these cells are consumed, whatever type the store has.
#include "adj.h"
#include <stdio.h>

struct sample {
  float time, value;
};

struct record {
  int kind;
  struct sample last;
};

static const struct sample initial = {1.5f, -2.0f};

static double reset(struct sample *out, const double *x) {
  *out = initial;
  return x[0] * x[1];
}

static double choose(struct record *out, const double *x, int again) {
  struct sample both[2] = {{0.25f, 0.5f}, {-3.0f, 4.0f}};
  out->kind = again + 1;
  out->last = both[again];
  return x[0] / x[1];
}

int main(void) {
  double x[2] = {3.0, 4.0}, dx[2] = {0};
  struct sample out = {1.0f, 2.0f}, d = {0.5f, 0.75f};
  __enzyme_autodiff((void *)reset, enzyme_dup, &out, &d, enzyme_dup, x, dx);
  printf("%g %g %g %g\n", d.time, d.value, dx[0], dx[1]);
  struct record r = {7, {1.0f, 2.0f}}, dr = {7, {0.5f, 0.75f}};
  __enzyme_autodiff((void *)choose, enzyme_dup, &r, &dr, enzyme_dup, x, dx, enzyme_const, 1);
  printf("%d %g %g %g %g\n", r.kind, dr.last.time, dr.last.value, dx[0], dx[1]);
  return 0;
}
