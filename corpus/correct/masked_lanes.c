// Loops with a condition and with an index that is data, vectorised: masked loads and stores, gathers.
// adj-flags: -mavx2
#include "adj.h"
#include <stdio.h>

#define N 50

struct cells {
  double level[N];
  double flow[N];
  int open[N];
  int from[N];
};

// Only open cells take part.
static void relax(struct cells *c, const double *rate) {
  for (int i = 0; i < N; i++)
    if (c->open[i])
      c->flow[i] = c->level[i] * rate[i] + c->flow[i] * c->flow[i];
}

// Each cell takes from the one that its index names.
static double collect(const struct cells *c, double *taken) {
  double sum = 0.0;
  for (int i = 0; i < N; i++) {
    taken[i] = c->flow[c->from[i]] * c->level[i];
    sum += taken[i] * c->level[c->from[i]];
  }
  return sum;
}

static double basin(struct cells *c, const double *rate) {
  double taken[N];
  double sum = 0.0;
  for (int step = 0; step < 3; step++) {
    relax(c, rate);
    sum += collect(c, taken);
  }
  return sum + taken[N - 1] * taken[0];
}

int main(void) {
  struct cells c, dc = {0};
  double rate[N], drate[N] = {0};
  for (int i = 0; i < N; i++) {
    c.level[i] = 0.25 + 0.0625 * i;
    c.flow[i] = 0.5 - 0.03125 * i;
    c.open[i] = i % 3 != 1;
    c.from[i] = dc.from[i] = (7 * i + 2) % N;
    rate[i] = 0.125 * (i % 4);
  }
  __enzyme_autodiff((void *)basin, enzyme_dup, &c, &dc, enzyme_dup, rate, drate);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g %.17g\n", dc.level[i], dc.flow[i], drate[i]);
  return 0;
}
