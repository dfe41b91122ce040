// Quarters of the word, permuted and put back.
#include <stdint.h>
#include <string.h>
static void leave(const double *x, double *y, int n) {
  uint16_t mixed[32], q[4];
  for (int i = 0; i < n; i++) {
    memcpy(q, x + i, 8);
    mixed[4 * i] = q[2], mixed[4 * i + 1] = q[0], mixed[4 * i + 2] = q[3], mixed[4 * i + 3] = q[1];
  }
  for (int i = 0; i < n; i++) {
    q[2] = mixed[4 * i], q[0] = mixed[4 * i + 1], q[3] = mixed[4 * i + 2], q[1] = mixed[4 * i + 3];
    memcpy(y + i, q, 8);
  }
}
#include "judge.h"
