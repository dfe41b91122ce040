// Slots hold a number or refer to one. Whoever moves them copies the number, whichever it is: the bits are the same.
// adj-flags: -fno-strict-aliasing
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct slot {
  long refers;
  union {
    double value;
    const double *input;
  } u;
};

static double get(const struct slot *s) { return s->refers ? *s->u.input : s->u.value; }

static double ranked(const double *x, int n) {
  struct slot *s = malloc(n * sizeof *s);
  double y = 0.0;
  for (int i = 0; i < n; i++) {
    s[i].refers = i & 1;
    if (i & 1)
      s[i].u.input = x + i;
    else
      s[i].u.value = x[i] * x[i];
  }
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < n; i++) {
      int j = (i + 2) % n;
      double held = s[i].u.value;
      s[i].u.value = s[j].u.value;
      s[j].u.value = held;
      long refers = s[i].refers;
      s[i].refers = s[j].refers;
      s[j].refers = refers;
    }
    for (int i = 0; i < n; i++)
      y += (i + 1) * get(&s[i]) * get(&s[(i + 1) % n]);
  }
  free(s);
  return y;
}

int main(void) {
  double x[5] = {1.5, -0.5, 0.75, 2.0, -1.25}, d[5] = {0};
  __enzyme_autodiff((void *)ranked, enzyme_dup, x, d, 5);
  for (int i = 0; i < 5; i++)
    printf("%.6f ", d[i]);
  printf("\n");
  return 0;
}
