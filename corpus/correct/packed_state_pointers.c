// A packed state: pointers, counts and numbers without gaps, initialised by copying a constant template over it. The pointers of the
// state are set anew after each copy; some stay null.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) state {
  char mode;
  double *field;
  double level;
  double *history;
  int steps;
  double loss;
};

static const struct state empty = {1, NULL, 0.25, NULL, 0, 0.0};

static double advance(struct state *s, const double *source, int n) {
  for (int i = 0; i < n; i++) {
    s->level += 0.1 * s->field[i] * source[i];
    s->field[i] = s->field[i] * cos(s->level);
    if (s->history)
      s->history[s->steps % n] += s->level;
    s->steps++;
  }
  s->loss += s->level * s->level;
  return s->loss;
}

static double simulate(const double *source, int n, int rounds) {
  struct state s;
  double *field = malloc(n * sizeof *field), *history = calloc(n, sizeof *history), sum = 0.0;
  for (int r = 0; r < rounds; r++) {
    memcpy(&s, &empty, sizeof s);
    s.field = field;
    s.history = r % 2 ? history : NULL;
    memcpy(s.field, source, n * sizeof *field);
    sum += advance(&s, source, n);
    sum += advance(&s, source, n) * (s.mode + r);
  }
  for (int i = 0; i < n; i++)
    sum += history[i] * source[n - 1 - i];
  free(field);
  free(history);
  return sum;
}

int main(void) {
  double x[4] = {0.6, -1.1, 0.35, 0.8}, dx[4] = {0};
  __enzyme_autodiff((void *)simulate, enzyme_dup, x, dx, enzyme_const, 4, enzyme_const, 3);
  for (int i = 0; i < 4; i++)
    printf("%.15g\n", dx[i]);
  return 0;
}
