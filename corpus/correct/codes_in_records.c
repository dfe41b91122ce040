// Records of a coded word beside a plain number; and words of single precision with their bytes swapped under a key.
#include "adj.h"
#include <stdint.h>
#include <string.h>

struct record {
  uint64_t word;
  double plain;
};

static double f(const double *x, int n) {
  struct record records[8];
  uint32_t coded[8];
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    records[i].word = ~bits;
    records[i].plain = 2.0 * x[i];
    float single = (float)x[i];
    uint32_t u;
    memcpy(&u, &single, sizeof u);
    coded[i] = __builtin_bswap32(u) ^ 77;
  }
  for (int i = 0; i < n; i++) {
    uint64_t u = ~records[i].word;
    uint32_t v = __builtin_bswap32(coded[i] ^ 77);
    double y;
    float z;
    memcpy(&y, &u, sizeof y);
    memcpy(&z, &v, sizeof z);
    sum += y * records[i].plain + z;
  }
  return sum;
}

int main(void) {
  double x[4] = {0.5, -1.25, 2.0, 1.25}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  return dx[0] != 3.0;
}
