// Bit-fields beside floating-point fields: flags are read and written around the numbers that they govern.
#include "adj.h"

struct valve {
  unsigned open : 1;
  unsigned kind : 3;
  unsigned uses : 12;
  float gain;
  double flow;
};

static double through(struct valve *v, double pressure) {
  v->uses = v->uses + 1;
  switch (v->kind) {
    case 0: v->flow = v->gain * pressure; break;
    case 1: v->flow = v->gain * pressure * pressure; break;
    default: v->flow += v->gain / pressure; break;
  }
  v->open = v->flow > 0.5;
  return v->open ? v->flow : 0.25 * v->flow;
}

static double network(struct valve *v, int n, double p) {
  double total = 0.0;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < n; i++) {
      double out = through(&v[i], p);
      total += out * v[i].uses;
      p = 0.9 * p + 0.01 * out;
    }
  return total;
}

int main(void) {
  struct valve v[3] = {{1, 0, 0, 0.5f, 0.0}, {0, 1, 2, 0.25f, 0.0}, {0, 5, 7, 2.0f, 0.125}}, dv[3] = {{0}};
  __enzyme_autodiff((void *)network, enzyme_dup, v, dv, enzyme_const, 3, 1.5);
  return dv[0].gain != 0.0f ? 0 : 1;
}
