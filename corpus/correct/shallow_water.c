// Shallow water on a staggered grid: a structure of fields on the heap, tendencies by functions of their own, second-order time steps
// that exchange old and new by pointer, and the kinetic energy at the end.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 4, cells = n * n };

struct fields {
  double u[cells], v[cells], h[cells];
};
struct constants {
  double gravity, rotation, drag, dt;
};

static int at(int i, int j) { return (i + n) % n * n + (j + n) % n; }

static void tendency(const struct fields *s, const struct constants *c, struct fields *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int k = at(i, j);
      double hu = 0.5 * (s->h[k] + s->h[at(i + 1, j)]), hv = 0.5 * (s->h[k] + s->h[at(i, j + 1)]);
      double speed = s->u[k] * s->u[k] + s->v[k] * s->v[k];
      out->u[k] = c->rotation * s->v[k] - c->gravity * (s->h[at(i + 1, j)] - s->h[k]) - c->drag * speed * s->u[k] / hu;
      out->v[k] = -c->rotation * s->u[k] - c->gravity * (s->h[at(i, j + 1)] - s->h[k]) - c->drag * speed * s->v[k] / hv;
      out->h[k] = -(hu * s->u[k] - 0.5 * (s->h[k] + s->h[at(i - 1, j)]) * s->u[at(i - 1, j)]) -
                  (hv * s->v[k] - 0.5 * (s->h[k] + s->h[at(i, j - 1)]) * s->v[at(i, j - 1)]);
    }
}

static void combine(struct fields *to, const struct fields *a, const struct fields *b, double f) {
  for (int k = 0; k < cells; k++) {
    to->u[k] = a->u[k] + f * b->u[k];
    to->v[k] = a->v[k] + f * b->v[k];
    to->h[k] = a->h[k] + f * b->h[k];
  }
}

static double energy(const struct fields *start, const struct constants *c, int steps) {
  struct fields *now = malloc(sizeof *now), *next = malloc(sizeof *next), *slope = malloc(sizeof *slope);
  memcpy(now, start, sizeof *now);
  for (int t = 0; t < steps; t++) {
    tendency(now, c, slope);
    combine(next, now, slope, 0.5 * c->dt);
    tendency(next, c, slope);
    combine(next, now, slope, c->dt);
    struct fields *swap = now;
    now = next;
    next = swap;
  }
  double sum = 0.0;
  for (int k = 0; k < cells; k++)
    sum += now->h[k] * (now->u[k] * now->u[k] + now->v[k] * now->v[k]);
  free(now);
  free(next);
  free(slope);
  return sum;
}

int main(void) {
  struct fields s, ds = {0};
  struct constants c = {1.0, 0.3, 0.1, 0.05}, dc = {0};
  for (int k = 0; k < cells; k++) {
    s.u[k] = 0.1 * ((3 * k) % 7) - 0.3;
    s.v[k] = 0.05 * ((5 * k) % 11) - 0.2;
    s.h[k] = 1.0 + 0.02 * ((7 * k) % 13);
  }
  __enzyme_autodiff((void *)energy, enzyme_dup, &s, &ds, enzyme_dup, &c, &dc, enzyme_const, 4);
  for (int k = 0; k < cells; k++)
    printf("%.12g %.12g %.12g\n", ds.u[k], ds.v[k], ds.h[k]);
  printf("%.12g %.12g %.12g %.12g\n", dc.gravity, dc.rotation, dc.drag, dc.dt);
  return 0;
}
