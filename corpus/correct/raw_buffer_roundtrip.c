// Structures written into a buffer of bytes one after the other (a header, then records) and read back: the buffer has no type of
// its own, its contents are told by what is copied.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct header {
  int version;
  float gain;
};
struct body {
  double value;
  float slope;
  char unit;
};

static double message(const double *p) {
  double x = p[0], y = p[1];
  unsigned char buffer[sizeof(struct header) + sizeof(struct body)];
  struct header h = {3, (float)(x * y)};
  struct body b = {x + y * y, (float)y, 'm'};
  memcpy(buffer, &h, sizeof h);
  memcpy(buffer + sizeof h, &b, sizeof b);
  h.gain = 0.0f;
  b.value = 0.0;
  struct header h2;
  struct body b2;
  memcpy(&h2, buffer, sizeof h2);
  memcpy(&b2, buffer + sizeof h2, sizeof b2);
  return h2.gain * b2.value * (double)h2.version + b2.slope * b2.value + (b2.unit == 'm' ? x : y);
}

int main(void) {
  double p[2] = {0.7, 1.1}, d[2] = {0};
  __enzyme_autodiff((void *)message, enzyme_dup, p, d);
  printf("%.17g %.17g\n", d[0], d[1]);
  return 0;
}
