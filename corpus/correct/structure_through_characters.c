// A structure goes through a buffer of characters, which nothing but the two copies touches. Characters may be
// anything: what is copied is what lies in the structures.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct state {
  double position[2];
  double mass;
  int steps;
};

static double f(const struct state *from, struct state *to) {
  char buffer[sizeof *to];
  memcpy(buffer, from, sizeof buffer);
  memcpy(to, buffer, sizeof buffer);
  return to->position[0] * to->mass + to->position[1] * to->steps;
}

int main(void) {
  struct state a = {{0.5, -1.5}, 2, 3}, da = {{0, 0}, 0, 0};
  struct state b = {{1, 2}, 3, 4}, db = {{0.25, 0.5}, 0.75, 0};
  __enzyme_autodiff((void *)f, enzyme_dup, &a, &da, enzyme_dup, &b, &db);
  printf("%g %g %g\n", da.position[0], da.position[1], da.mass);
  printf("%g %g %g\n", db.position[0], db.position[1], db.mass);
  return 0;
}
