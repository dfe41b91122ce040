// Forward mode, where a tangent is so small beside the number that carries it that no lane of the reference shows it: right all the same.
#include "adj.h"
#include <math.h>

struct state {
  double deviation, observed;
};

static void contract(struct state *s, int steps) {
  for (int i = 0; i < steps; i++) {
    s->deviation = 1e-20 * s->deviation * s->deviation * s->deviation;
    s->observed = 0.09 + s->deviation;
  }
}

int main(void) {
  struct state s = {1.5, 2.0}, ds = {1.0, 0.5};
  __enzyme_fwddiff((void *)contract, enzyme_dup, &s, &ds, enzyme_const, 2);
  int same = ds.observed == ds.deviation && ds.deviation > 0.0;
  return same && fabs(s.observed - 0.09) < 1e-15 ? 0 : 1;
}
