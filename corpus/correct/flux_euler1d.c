// The Euler equations of a gas in one dimension: Rusanov flux between structures of three fields.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define CELLS 6

struct gas {
  double density, momentum, energy;
};

static double pressure(const struct gas *g) {
  return 0.4 * (g->energy - 0.5 * g->momentum * g->momentum / g->density);
}

static struct gas physical(const struct gas *g) {
  double u = g->momentum / g->density, p = pressure(g);
  struct gas f = {g->momentum, g->momentum * u + p, (g->energy + p) * u};
  return f;
}

static double speed(const struct gas *g) {
  return fabs(g->momentum / g->density) + sqrt(1.4 * pressure(g) / g->density);
}

static struct gas rusanov(const struct gas *l, const struct gas *r) {
  struct gas a = physical(l), b = physical(r), f;
  double s = speed(l) > speed(r) ? speed(l) : speed(r);
  f.density = 0.5 * (a.density + b.density - s * (r->density - l->density));
  f.momentum = 0.5 * (a.momentum + b.momentum - s * (r->momentum - l->momentum));
  f.energy = 0.5 * (a.energy + b.energy - s * (r->energy - l->energy));
  return f;
}

static void advance(struct gas *g, double ratio, int steps) {
  for (int t = 0; t < steps; t++) {
    struct gas left = rusanov(&g[0], &g[1]);
    for (int i = 1; i + 1 < CELLS; i++) {
      struct gas right = rusanov(&g[i], &g[i + 1]);
      g[i].density -= ratio * (right.density - left.density);
      g[i].momentum -= ratio * (right.momentum - left.momentum);
      g[i].energy -= ratio * (right.energy - left.energy);
      left = right;
    }
  }
}

int main(void) {
  struct gas g[CELLS], d[CELLS];
  for (int i = 0; i < CELLS; i++) {
    g[i] = (struct gas){1.0 - 0.1 * i, 0.2 + 0.03 * i, 2.5 - 0.2 * i};
    d[i] = (struct gas){i == 3 ? 1.0 : 0.0, 0.0, i == 2 ? 0.5 : 0.0};
  }
  __enzyme_autodiff((void *)advance, enzyme_dup, g, d, enzyme_const, 0.1, enzyme_const, 3);
  for (int i = 0; i < CELLS; i++)
    printf("%.17g %.17g %.17g %.17g\n", g[i].density, d[i].density, d[i].momentum, d[i].energy);
  return 0;
}
