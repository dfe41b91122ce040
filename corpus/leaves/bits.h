// The bits of a number, and the number of bits.
#ifndef BITS_H
#define BITS_H
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static inline double number_of(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}
#endif
