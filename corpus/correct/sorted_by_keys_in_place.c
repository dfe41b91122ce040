// Numbers are sorted by keys of their bits and put back. With optimisation, what the array holds on entry is loaded as
// words alone, and overwritten with a number: it is an input all the same.
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

int main(void) {
  double a[1] = {0.9427}, da[1] = {1};
  __enzyme_autodiff((void *)f, enzyme_dup, a, da);
  return 0;
}
