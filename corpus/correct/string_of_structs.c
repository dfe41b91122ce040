// A string of structures: each holds a pointer to the next record's field and a nested structure.
#include "adj.h"
#include <stdio.h>

struct inner {
  float gain;
  short code;
  double offset;
};
struct record {
  struct inner in;
  double *out;
  double state;
};

static double process(struct record *r, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double v = (double)r[i].in.gain * r[i].state + r[i].in.offset;
    if (r[i].in.code > 2)
      v *= v;
    *r[i].out += v * r[i].state;
    total += v;
  }
  return total;
}

int main(void) {
  double sink = 0.25, dsink = 1.0;
  struct record r[4], d[4];
  for (int i = 0; i < 4; i++) {
    r[i].in.gain = 0.5f + 0.25f * (float)i;
    r[i].in.code = d[i].in.code = (short)(i + 1);
    r[i].in.offset = 0.1 * i;
    r[i].state = 1.0 - 0.2 * i;
    r[i].out = i < 3 ? &r[i + 1].state : &sink;
    d[i].out = i < 3 ? &d[i + 1].state : &dsink;
    d[i].in.gain = 0.0f;
    d[i].in.offset = 0.0;
    d[i].state = 0.0;
  }
  __enzyme_autodiff((void *)process, enzyme_dup, r, d, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.17g %.9g %.17g %.17g\n", r[i].state, d[i].in.gain, d[i].in.offset, d[i].state);
  printf("%.17g %.17g\n", sink, dsink);
  return 0;
}
