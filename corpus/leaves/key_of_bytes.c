// Bytes combined with the bytes of a password, twice.
static void code(unsigned char *to, const unsigned char *from, int bytes) {
  static const unsigned char password[5] = {17, 201, 3, 99, 250};
  for (int k = 0; k < bytes; k++)
    to[k] = from[k] ^ password[k % 5];
}
static void leave(const double *x, double *y, int n) {
  unsigned char hidden[64];
  code(hidden, (const unsigned char *)x, 8 * n);
  code((unsigned char *)y, hidden, 8 * n);
}
#include "judge.h"
