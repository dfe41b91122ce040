// Samples in the byte order of the wire: swapped when a packet is made, swapped back when it is read.
#include "adj.h"
#include <stdint.h>
#include <string.h>

struct packet {
  uint32_t count;
  uint64_t samples[6];
};

static void put(struct packet *p, const double *x, int n) {
  p->count = (uint32_t)n;
  for (int i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    p->samples[i] = __builtin_bswap64(bits);
  }
}

static double get(const struct packet *p, uint32_t i) {
  uint64_t bits = __builtin_bswap64(p->samples[i]);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double energy(const double *x, int n) {
  struct packet p;
  put(&p, x, n);
  double sum = 0.0;
  for (uint32_t i = 0; i < p.count; i++)
    sum += get(&p, i) * get(&p, p.count - 1 - i);
  return sum;
}

int main(void) {
  double x[6] = {0.5, -1.25, 2.0, 0.75, -0.5, 1.5}, dx[6] = {0};
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_const, 6);
  return dx[0] != 3.0;
}
