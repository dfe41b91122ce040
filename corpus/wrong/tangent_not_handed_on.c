// A tangent by hand that clears what it should hand on: the cell that it comes from gets a number of its own afterwards, so that the
// primal uses nothing of what it held but by moving it.
#include "adj.h"
#include <string.h>

struct history {
  double now, before;
};

static void step(struct history *h, const double *rate) {
  memcpy(&h->before, &h->now, sizeof h->now);
  h->now = *rate * *rate;
}

static void tangent_step(struct history *h, struct history *dh, const double *rate, const double *drate) {
  memcpy(&h->before, &h->now, sizeof h->now);
  dh->before = 0.0; //~ wrong: activity
  h->now = *rate * *rate;
  dh->now = 2.0 * *rate * *drate;
}

int main(void) {
  struct history h = {1.0, 2.0}, dh = {0.25, 0.5};
  double rate = 1.5, drate = 1.0;
  __adj_check_tangent((void *)step, (void *)tangent_step, &h, &dh, &rate, &drate);
  return 0;
}
