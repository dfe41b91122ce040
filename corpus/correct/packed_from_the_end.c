// Packed structures seen from the end of their array: only elements before a variable index are touched.
#include "adj.h"
#include <stdio.h>

struct __attribute__((packed)) Sample {
  unsigned char flags;
  double value;
  float weights[3];
  short id;
};

struct __attribute__((packed)) Block {
  char name[3];
  struct Sample samples[2];
  double scale;
};

static double last(const struct Sample *s, int n) {
  return s[n - 1].value * s[n - 1].weights[2] + s[n - 2].weights[0] * s[n - 2].id;
}

static void smooth(struct Sample *s, int n) {
  for (int i = n; i-- > 1;)
    s[i - 1].value = 0.5 * (s[i - 1].value + s[i].value) * s[i - 1].weights[1];
}

static double run(struct Sample *s, struct Block *b, int n, int m) {
  smooth(s, n);
  double sum = last(s, n);
  for (int i = 1; i < m; i++) {
    b[i].samples[1].value += b[i - 1].samples[0].value * b[m - i].scale;
    sum += b[i].samples[1].value * b[i - 1].samples[1].weights[i % 3];
  }
  return sum + b[m - 1].scale * b[m - 1].samples[0].weights[0];
}

int main(void) {
  struct Sample s[3] = {{1, 0.5, {0.25f, 1.5f, 2.0f}, 2}, {2, 0.75, {1.25f, 0.5f, 1.0f}, 3}, {3, 1.5, {0.5f, 0.25f, 3.0f}, 4}};
  struct Sample ds[3] = {{0}};
  struct Block b[3], db[3] = {{{0}}};
  for (int i = 0; i < 3; i++)
    b[i] = (struct Block){{'a', 'b', 'c'}, {s[i], s[2 - i]}, 0.5 + i};
  __enzyme_autodiff((void *)run, enzyme_dup, s, ds, enzyme_dup, b, db, enzyme_const, 3, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    printf("%.17g %.9g %.17g %.17g\n", ds[i].value, ds[i].weights[i], db[i].samples[1].value, db[i].scale);
  return 0;
}
