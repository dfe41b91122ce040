// An object with a function pointer and its data, made by the caller: which function it is, only the run can tell.
#include "adj.h"
#include <stdio.h>

struct Spring;
typedef double (*law)(const struct Spring *, double);

struct Spring {
  double k, rest;
  law force;
};

static double linear(const struct Spring *s, double x) { return -s->k * (x - s->rest); }

static double hardening(const struct Spring *s, double x) {
  double d = x - s->rest;
  return -s->k * d * (1.0 + d * d);
}

static double energy_rate(struct Spring *springs, int n, const double *x, double v) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += springs[i].force(&springs[i], x[i]) * v;
  return sum;
}

int main(void) {
  struct Spring s[3] = {{2.0, 0.1, linear}, {3.0, 0.2, hardening}, {0.5, -0.4, hardening}};
  struct Spring ds[3] = {{0}};
  double x[3] = {0.4, 0.9, 1.3}, dx[3] = {0};
  for (int i = 0; i < 3; i++)
    ds[i].force = s[i].force;
  double dv = __enzyme_autodiff((void *)energy_rate, enzyme_dup, s, ds, enzyme_const, 3, enzyme_dup, x, dx, enzyme_out, 1.5);
  for (int i = 0; i < 3; i++)
    printf("%.17g %.17g %.17g\n", ds[i].k, ds[i].rest, dx[i]);
  printf("%.17g\n", dv);
  return 0;
}
