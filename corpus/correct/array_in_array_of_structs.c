// Records on the heap that hold an inner array between integers: single elements are cleared, copied and moved whole, and the inner
// arrays are walked with an index.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  int kind;
  double coefficients[3];
  long uses;
  float scale;
};

static double value(struct record *r, double x) {
  double sum = 0.0;
  for (int k = 2; k >= 0; k--)
    sum = sum * x + r->coefficients[k];
  r->uses++;
  return sum * r->scale + r->kind;
}

static double process(const double *x, int n) {
  struct record *all = malloc((size_t)n * sizeof *all);
  for (int i = 0; i < n; i++) {
    all[i].kind = i % 2;
    all[i].uses = 0;
    all[i].scale = (float)x[i];
    for (int k = 0; k < 3; k++)
      all[i].coefficients[k] = x[(i + k) % n] * (k + 1);
  }
  memset(&all[n / 2], 0, sizeof *all);
  all[n / 2].scale = 1.5f;
  all[n / 2].coefficients[1] = x[0] * x[1];
  double sum = value(&all[n / 2], x[2]);
  memcpy(&all[n - 1], &all[0], sizeof *all);
  memmove(all + 1, all, 2 * sizeof *all);
  for (int i = 0; i < n; i++)
    sum += value(&all[i], x[i]) * (double)(i + all[i].uses);
  free(all);
  return sum;
}

int main(void) {
  double x[6] = {0.4, -0.7, 1.1, 0.9, -0.3, 0.6}, d[6] = {0};
  __enzyme_autodiff((void *)process, enzyme_dup, x, d, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
