// A pointer with a tag in its lowest bits, which are set and cleared in its lowest byte.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, int n) {
  const double *kept[4];
  for (int i = 0; i < n; i++) {
    kept[i] = x + i;
    unsigned char byte;
    memcpy(&byte, &kept[i], 1);
    byte |= i % 2 ? 3 : 1;
    memcpy(&kept[i], &byte, 1);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    int tag = (int)((uintptr_t)kept[i] & 7);
    unsigned char *low = (unsigned char *)&kept[i];
    *low = (unsigned char)(*low & 0xf8);
    sum += tag * *kept[i] * *kept[i];
  }
  return sum;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
  return 0;
}
