// The bytes as text, two digits each, read by sscanf.
#include "bits.h"
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[20];
    uint64_t v = 0;
    for (int k = 0; k < 8; k++)
      sprintf(text + 2 * k, "%02x", ((const unsigned char *)(x + i))[k]);
    for (int k = 0; k < 8; k++) {
      unsigned byte = 0;
      sscanf(text + 2 * k, "%2x", &byte);
      v |= (uint64_t)byte << (8 * k);
    }
    y[i] = number_of(v);
  }
}
#include "judge.h"
