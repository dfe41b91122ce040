// The gradient of a function that loads its input as words alone, and overwrites it: the input is taken for none.
#include "adj.h"
#include <string.h>

static double f(double *a) {
  double plain[3] = {a[0], 0.5, 0.25}, again[3];
  unsigned long keys[3];
  int from[3];
  for (int c = 0; c < 3; c++) {
    unsigned long word;
    memcpy(&word, plain + c, sizeof word);
    word ^= word >> 63 ? ~0ul : 1ul << 63;
    int k = c;
    for (; k > 0 && keys[k - 1] > word; k--)
      keys[k] = keys[k - 1], from[k] = from[k - 1];
    keys[k] = word, from[k] = c;
  }
  for (int c = 0; c < 3; c++) {
    unsigned long word = keys[c];
    word ^= word >> 63 ? 1ul << 63 : ~0ul;
    memcpy(again + from[c], &word, sizeof word);
  }
  a[0] = 0.1 * again[0] * again[1] + 0.15 * again[1];
  return a[0];
}

static void df(double *a, double *da, double seed) {
  f(a);
  da[0] = 0; //~ wrong: activity
}

int main(void) {
  double a[1] = {0.9427}, da[1] = {1};
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, a, da, 1.0);
  return 0;
}
