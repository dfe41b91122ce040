// Forward mode of small structures that travel in integer registers, and of a union read as it was written.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct weighted {
  float value;
  int weight;
};

union word {
  double number;
  unsigned char bytes[8];
};

static struct weighted doubled(struct weighted w) {
  struct weighted r = {w.value * w.value, w.weight + 1};
  return r;
}

static float total(const struct weighted *w, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++) {
    struct weighted d = doubled(doubled(w[i]));
    sum += d.weight > 4 ? d.value * 2.0f : d.value;
  }
  return sum;
}

static double copied(const double *x) {
  union word a, b;
  a.number = x[0] * x[1];
  memcpy(&b, &a, sizeof b);
  return b.number * x[0];
}

int main(void) {
  struct weighted w[2] = {{0.5f, 2}, {-1.5f, 3}}, dw[2] = {{1.0f, 0}, {0.5f, 0}};
  printf("%.9g\n", __enzyme_fwddiff((void *)total, enzyme_dup, w, dw, enzyme_const, 2));
  double x[2] = {1.25, -0.5}, dx[2] = {1.0, 2.0};
  printf("%.17g\n", __enzyme_fwddiff((void *)copied, x, dx));
  return 0;
}
