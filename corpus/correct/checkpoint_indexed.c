// A loop with checkpoints whose step works on the cell that its own counter names, with coefficients by the counter too: executed
// again, a step must have the counter that it had.
#define ADJ_CHECKPOINTS
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { n = 9 };

struct state {
  double x[n], carried;
};

static void step(long i, void *state, const void *parameters) {
  struct state *s = state;
  const double *c = parameters;
  s->carried = s->carried * cos(s->x[i]) + c[i % 3];
  s->x[i] = s->carried * s->x[(i + 1) % n] + 0.1 * (double)i * s->x[i] * s->x[i];
  if (i > 0)
    s->x[i - 1] -= c[(i + 1) % 3] * s->x[i];
}

static double chain(const double *x, const double *c, int schedule, long number) {
  struct state s;
  for (int i = 0; i < n; i++)
    s.x[i] = x[i];
  s.carried = 1.0;
  __enzyme_checkpoint_for(step, 0, n, schedule, number, &s, sizeof s, c, 3 * sizeof *c);
  double sum = s.carried;
  for (int i = 0; i < n; i++)
    sum += s.x[i] * s.x[i];
  return sum;
}

static double by_revolve(const double *x, const double *c) { return chain(x, c, ADJ_REVOLVE, 2); }
static double by_periods(const double *x, const double *c) { return chain(x, c, ADJ_PERIODIC, 3); }
static double by_storing(const double *x, const double *c) { return chain(x, c, ADJ_STORE_ALL, 0); }

int main(void) {
  double x[n], c[3] = {0.3, -0.2, 0.5};
  for (int i = 0; i < n; i++)
    x[i] = 0.4 + 0.1 * ((4 * i) % n);
  double g[3][n] = {{0}}, dc[3][3] = {{0}};
  __enzyme_autodiff((void *)by_revolve, enzyme_dup, x, g[0], enzyme_dup, c, dc[0]);
  __enzyme_autodiff((void *)by_periods, enzyme_dup, x, g[1], enzyme_dup, c, dc[1]);
  __enzyme_autodiff((void *)by_storing, enzyme_dup, x, g[2], enzyme_dup, c, dc[2]);
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    printf("%.12g\n", g[0][i]);
    wrong += g[0][i] != g[1][i] || g[0][i] != g[2][i];
  }
  printf("%.12g %.12g %.12g\n", dc[0][0], dc[1][1], dc[2][2]);
  return wrong;
}
