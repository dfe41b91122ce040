// The bits as hexadecimal digits, written and read by hand.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[17];
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 15; k >= 0; k--, u >>= 4)
      text[k] = "0123456789abcdef"[u & 15];
    text[16] = 0;
    for (const char *p = text; *p; p++)
      v = v << 4 | (uint64_t)(*p >= 'a' ? *p - 'a' + 10 : *p - '0');
    y[i] = number_of(v);
  }
}
#include "judge.h"
