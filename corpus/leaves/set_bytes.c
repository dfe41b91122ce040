// Each byte is put into memory by memset.
#include <string.h>
static void leave(const double *x, double *y, int n) {
  for (int k = 0; k < 8 * n; k++) {
    int byte = ((const unsigned char *)x)[k];
    memset((unsigned char *)y + k, byte, 1);
  }
}
#include "judge.h"
