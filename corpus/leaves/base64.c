// Six bits in each character.
#include "bits.h"
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[12];
    uint64_t u = bits_of(x[i]), v = 0;
    for (int k = 0; k < 11; k++)
      text[k] = letters[u >> (6 * k) & 63];
    text[11] = 0;
    for (int k = 0; k < 11; k++)
      v |= (uint64_t)(strchr(letters, text[k]) - letters) << (6 * k);
    y[i] = number_of(v);
  }
}
#include "judge.h"
