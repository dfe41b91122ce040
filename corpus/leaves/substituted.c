// Each byte is replaced by that of a table, and by that of its inverse.
static void leave(const double *x, double *y, int n) {
  unsigned char box[256], inverse[256], code[64];
  for (int k = 0; k < 256; k++)
    box[k] = (unsigned char)(167 * k + 91), inverse[box[k]] = (unsigned char)k;
  for (int k = 0; k < 8 * n; k++)
    code[k] = box[((const unsigned char *)x)[k]];
  for (int k = 0; k < 8 * n; k++)
    ((unsigned char *)y)[k] = inverse[code[k]];
}
#include "judge.h"
