// Numbers and constants sorted by keys of the same order, and brought back to where they came from: where a constant's key is stored, the
// derivative of the key before it ends. (Unoptimised, a key lies in a variable under two codes, which is refused.)
// adj-levels: O1,O2,O3
#include "adj.h"
#include <string.h>

static double f(double x) {
  double plain[3] = {x, 0.5, 0.25}, again[3];
  unsigned long keys[3];
  int from[3];
  for (int c = 0; c < 3; c++) {
    unsigned long bits, key;
    memcpy(&bits, plain + c, sizeof bits);
    key = bits ^ (bits >> 63 ? ~0ul : 1ul << 63);
    int k = c;
    for (; k > 0 && keys[k - 1] > key; k--)
      keys[k] = keys[k - 1], from[k] = from[k - 1];
    keys[k] = key, from[k] = c;
  }
  for (int c = 0; c < 3; c++) {
    unsigned long bits = keys[c] ^ (keys[c] >> 63 ? 1ul << 63 : ~0ul);
    memcpy(again + from[c], &bits, sizeof bits);
  }
  return 0.1 * again[0] * again[1] + 0.15 * again[1];
}

int main(void) {
  double d = __enzyme_autodiff((void *)f, enzyme_out, 1.0738);
  return d != 0.05;
}
