// A view of an array, a pointer with a factor or a length beside it, returned and passed by value: pointer and float travel together.
#include "adj.h"
#include <stdio.h>

struct scaled {
  double *data;
  double factor;
};
struct slice {
  double *data;
  int length;
  float weight;
};

static __attribute__((noinline)) struct scaled scale(double *data, double factor) {
  struct scaled s = {data, factor * factor};
  return s;
}

static __attribute__((noinline)) struct slice part(struct scaled s, int from, int length) {
  struct slice p = {s.data + from, length, (float)s.factor};
  return p;
}

static __attribute__((noinline)) double sum(struct slice p) {
  double total = 0.0;
  for (int i = 0; i < p.length; i++)
    total += p.weight * p.data[i] * p.data[i];
  return total;
}

static double measure(double *x, double t) {
  struct scaled views[2];
  views[0] = scale(x, t);
  views[1] = scale(x + 2, x[0]);
  views[0].data[1] *= views[1].factor;
  double total = 0.0;
  for (int i = 0; i < 2; i++)
    total += sum(part(views[i], 1 - i, 2 + i)) * views[i].factor;
  return total;
}

int main(void) {
  double x[5] = {0.4, -0.7, 1.1, 0.9, -0.3}, d[5] = {0};
  double dt = __enzyme_autodiff((void *)measure, enzyme_dup, x, d, enzyme_out, 0.8);
  printf("%.17g\n", dt);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
