// Floats that travel inside of integers, and that nothing else uses: a pair as one word, a float beside an integer, halves exchanged.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct pair {
  float first, second;
};

struct entry {
  float weight;
  int key;
};

struct apart {
  float second;
  int count;
  float first;
};

static __attribute__((noinline)) struct entry keyed(const struct entry *all, int key) {
  for (int i = 0; i < 2; i++)
    if (all[i].key == key)
      return all[i];
  return all[2];
}

static double choose(struct entry *out, const struct entry *all, const double *x) {
  struct entry found = keyed(all, 7);
  out->weight = found.weight;
  out->key = found.key + 1;
  return x[0] * x[1];
}

static double spread(struct apart *out, const struct pair *in, const double *x) {
  unsigned long word;
  memcpy(&word, in, sizeof word);
  unsigned low = (unsigned)word, high = (unsigned)(word >> 32);
  memcpy(&out->first, &low, sizeof low);
  memcpy(&out->second, &high, sizeof high);
  return x[0] * x[1];
}

static double sort(struct pair *a, int n, const double *x) {
  for (int i = 0; i < n / 2; i++) {
    struct pair t = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = t;
  }
  return x[0] / x[1];
}

int main(void) {
  double x[2] = {3, 4}, dx[2] = {0};
  struct entry all[3] = {{0.5f, 3}, {-1.5f, 7}, {2.5f, 9}}, dall[3] = {{0.0f, 3}, {0.25f, 7}, {0.0f, 9}};
  struct entry out = {1.0f, 0}, dout = {2.0f, 0};
  __enzyme_autodiff((void *)choose, enzyme_dup, &out, &dout, enzyme_dup, all, dall, enzyme_dup, x, dx);
  printf("%d %g %g %g %g\n", out.key, dout.weight, dall[0].weight, dall[1].weight, dall[2].weight);
  struct pair in = {1.0f, 2.0f}, din = {0};
  struct apart parts = {1.0f, 3, 2.0f}, dparts = {0.5f, 3, 0.75f};
  __enzyme_autodiff((void *)spread, enzyme_dup, &parts, &dparts, enzyme_dup, &in, &din, enzyme_dup, x, dx);
  printf("%g %g %g %g\n", dparts.first, dparts.second, din.first, din.second);
  struct pair a[5] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}, da[5] = {{0.1f, 0.2f}, {0.3f, 0.4f}, {0.5f, 0.6f}};
  __enzyme_autodiff((void *)sort, enzyme_dup, a, da, enzyme_const, 5, enzyme_dup, x, dx);
  for (int i = 0; i < 5; i++)
    printf("%g %g\n", da[i].first, da[i].second);
  return 0;
}
