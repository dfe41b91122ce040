// Parts of a structure copied and cleared: from one field to the end, from the start to a field, one inner array.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct state {
  int step;
  double time;
  float rates[3];
  long flags;
  double position[2];
};

static double evaluate(const struct state *s) {
  return s->time * s->rates[0] * s->rates[2] + s->position[0] * s->position[1] * (double)s->step +
         s->rates[1] * (double)s->flags;
}

static double advance(const double *x) {
  struct state a = {2, x[0], {(float)x[1], (float)x[2], 0.5f}, 3, {x[3], x[0] * x[1]}};
  struct state b = {5, x[3] * x[3], {1.0f, 2.0f, (float)x[0]}, 1, {x[2], 1.0}};
  memcpy(&b.flags, &a.flags, sizeof b - offsetof(struct state, flags));
  double sum = evaluate(&b);
  memcpy(&a, &b, offsetof(struct state, rates));
  sum += 2.0 * evaluate(&a);
  memcpy(a.rates, b.rates, sizeof a.rates);
  memset(&b.rates[1], 0, 2 * sizeof b.rates[1]);
  return sum + evaluate(&a) * evaluate(&b) + b.position[1] * b.rates[0];
}

int main(void) {
  double x[4] = {0.4, -0.7, 1.1, 0.9}, d[4] = {0};
  __enzyme_autodiff((void *)advance, enzyme_dup, x, d);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
