// Parameters that are looked up by name in a table that grows: names are copied beside active values.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parameter {
  char name[16];
  double value;
};

struct table {
  struct parameter *list;
  int count, room;
};

static double *lookup(struct table *t, const char *name) {
  for (int i = 0; i < t->count; i++)
    if (!strcmp(t->list[i].name, name))
      return &t->list[i].value;
  if (t->count == t->room) {
    t->room = t->room ? 2 * t->room : 2;
    t->list = realloc(t->list, t->room * sizeof *t->list);
  }
  struct parameter *p = &t->list[t->count++];
  strncpy(p->name, name, sizeof p->name - 1);
  p->name[sizeof p->name - 1] = 0;
  p->value = 0.0;
  return &p->value;
}

static double pendulum(const double *x, int n) {
  const char *names[] = {"mass", "length", "gravity", "damping", "speed", "angle"};
  struct table t = {0};
  for (int i = 0; i < n; i++)
    *lookup(&t, names[i]) = x[i];
  char key[16];
  strcpy(key, "gra");
  strcat(key, "vity");
  for (int k = 0; k < 10; k++) {
    double pull = *lookup(&t, key) / *lookup(&t, "length") * sin(*lookup(&t, "angle"));
    double drag = *lookup(&t, "damping") / *lookup(&t, "mass") * *lookup(&t, "speed");
    *lookup(&t, "speed") -= 0.05 * (pull + drag);
    *lookup(&t, "angle") += 0.05 * *lookup(&t, "speed");
  }
  double result = *lookup(&t, "angle") * *lookup(&t, "speed");
  free(t.list);
  return result;
}

int main(void) {
  double x[6] = {1.25, 0.75, 9.8125, 0.125, 0.5, 0.375}, dx[6] = {0};
  __enzyme_autodiff((void *)pendulum, enzyme_dup, x, dx, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
