// Selection sort of records by an integer key: whole structures are exchanged through a temporary, on the stack and by a function.
#include "adj.h"
#include <stdio.h>

struct record {
  short key;
  float load;
  double position[2];
  int count;
};

static __attribute__((noinline)) void exchange(struct record *a, struct record *b) {
  struct record t = *a;
  *a = *b;
  *b = t;
}

static double arrange(const double *x, int n) {
  struct record all[6];
  for (int i = 0; i < n; i++) {
    all[i].key = (short)((i * 5 + 3) % 7);
    all[i].load = (float)(x[i] * x[i]);
    all[i].position[0] = x[i];
    all[i].position[1] = x[(i + 1) % n] - 0.5 * x[i];
    all[i].count = i;
  }
  for (int i = 0; i + 1 < n; i++) {
    int least = i;
    for (int k = i + 1; k < n; k++)
      if (all[k].key < all[least].key)
        least = k;
    if (least != i)
      exchange(&all[i], &all[least]);
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    struct record *r = &all[i];
    sum += (double)(i + 1) * r->load * r->position[0] + r->position[1] * (double)r->count;
  }
  return sum;
}

int main(void) {
  double x[6] = {0.5, -0.25, 1.5, 0.75, -1.0, 0.3}, d[6] = {0};
  __enzyme_autodiff((void *)arrange, enzyme_dup, x, d, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
