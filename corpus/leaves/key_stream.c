// Bits combined with a stream of pseudo-random keys, and with the same stream again.
#include "bits.h"
static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}
static void leave(const double *x, double *y, int n) {
  uint64_t hidden[8], state = 88172645463325252u;
  for (int i = 0; i < n; i++)
    hidden[i] = bits_of(x[i]) ^ next(&state);
  state = 88172645463325252u;
  for (int i = 0; i < n; i++)
    y[i] = number_of(hidden[i] ^ next(&state));
}
#include "judge.h"
