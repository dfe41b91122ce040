// Text beside numbers: characters are written one by one into records that also hold doubles, and looked up by name.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct quantity {
  char name[8];
  double value;
  char unit[3];
  float error;
};

static void set(struct quantity *q, const char *name, char unit, double value) {
  int i = 0;
  for (; name[i] && i < 7; i++)
    q->name[i] = name[i];
  q->name[i] = 0;
  q->unit[0] = unit;
  q->unit[1] = 0;
  q->value = value;
  q->error = (float)(0.5 * value * value);
}

static struct quantity *find(struct quantity *all, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(all[i].name, name) == 0)
      return &all[i];
  return all;
}

static double power(const double *x) {
  struct quantity all[3];
  set(&all[0], "voltage", 'V', x[0] * x[2]);
  set(&all[1], "current", 'A', x[1] + x[2]);
  set(&all[2], "time", 's', x[2]);
  struct quantity v = *find(all, 3, "voltage");
  struct quantity *c = find(all, 3, "current");
  c->value *= v.value;
  return v.value * c->value * find(all, 3, "time")->value + c->error * v.error + (double)v.unit[0];
}

int main(void) {
  double x[3] = {0.6, -0.8, 1.25}, d[3] = {0};
  __enzyme_autodiff((void *)power, enzyme_dup, x, d);
  printf("%.17g %.17g %.17g\n", d[0], d[1], d[2]);
  return 0;
}
