// Records of numbers beside a pointer and a count, shifted within their array by memmove, down and up: source and destination overlap.
#include "adj.h"
#include <string.h>

struct entry {
  double key;
  const double *weight;
  int count;
  double value, error;
};

// The first is dropped, and the last doubled.
static void drop_first(struct entry *e, int n) {
  memmove(e, e + 1, (unsigned long)(n - 1) * sizeof *e);
  e[n - 1].value *= 2.0;
}

// A new one comes first.
static void put_first(struct entry *e, double key) {
  memmove(e + 1, e, 3 * sizeof *e);
  e[0].key = key;
}

static double queue(struct entry *e, double key) {
  drop_first(e, 4);
  put_first(e, key);
  memmove(e, e + 2, 2 * sizeof *e);
  double s = 0.0;
  for (int i = 0; i < 4; i++) s += (i + 1) * e[i].key * e[i].value + *e[i].weight * e[i].error * e[i].count;
  return s;
}

int main(void) {
  double w[4] = {1.0, -0.5, 2.0, 0.25}, dw[4] = {0};
  struct entry e[4], de[4];
  memset(de, 0, sizeof de);
  for (int i = 0; i < 4; i++) {
    e[i] = (struct entry){0.5 + i, &w[i], i + 1, 1.0 / (1 + i), 0.1 * i};
    de[i].weight = &dw[i];
  }
  double dkey = __enzyme_autodiff((void *)queue, enzyme_dup, e, de, enzyme_out, 0.75);
  // The new entry is moved over before anything reads it.
  return dkey == 0.0 ? 0 : 1;
}
