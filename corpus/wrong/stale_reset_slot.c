// Stale shadow: a slot is set to zero by the primal in each round, so its shadow must be zeroed
// where that store is reversed; `df` adds the slot's adjoint of earlier rounds again, and the
// gradient grows with the trip count. Evidence: the shadow of `slot` is not zero after the store
// that re-initialises its cell has been reversed; on exit it holds the sum over all rounds.
#include "adj.h"
#include <stdio.h>

static void rounds(const double *x, double *slot, double *out, int n) {
  for (int i = 0; i < n; i++) {
    *slot = 0.0;
    *slot += 3.0 * x[i];
    *out += *slot;
  }
}

static void drounds(const double *x, double *dx, double *slot, double *dslot, double *out, double *dout, int n) {
  rounds(x, slot, out, n);
  for (int i = n - 1; i >= 0; i--) {
    *dslot += *dout;
    dx[i] += 3.0 * *dslot; //~ wrong: stale-shadow
  }
  *dslot = 0.0;
}

int main(void) {
  double x[4] = {1.0, 2.0, 3.0, 4.0}, dx[4] = {0}, slot = 0.0, dslot = 0.0, out = 0.0, dout = 1.0;
  __adj_check_gradient((void *)rounds, (void *)drounds, enzyme_dup, x, dx, enzyme_dup, &slot, &dslot, enzyme_dup,
                       &out, &dout, enzyme_const, 4);
  printf("%.17g\n", out);
  return 0;
}
