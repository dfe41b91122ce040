// Two buffers that change places in a loop, with a copy of a length known only at run time from the start of one to the middle of the other: what
// lies in them is learnt from the copies in both directions, and must not be sought ever farther before their starts.
#include "adj.h"
#include <string.h>

enum { N = 6, HALF = 3 };

static double mixed(double *a, double *b, int count) {
  double *p = a, *q = b;
  for (int i = 0; i < 3; i++) {
    memmove(p + HALF, q, (unsigned long)count * sizeof *p);
    double *t = p;
    p = q;
    q = t;
  }
  double s = 0.0;
  for (int i = 0; i < N; i++) s += (i + 1) * a[i] * b[N - 1 - i];
  return s;
}

int main(void) {
  double a[N] = {0.5, -0.25, 1.0, 0.75, 2.0, -1.5}, b[N] = {1.0, 0.5, -0.5, 0.25, 3.0, 0.125};
  double da[N] = {0.0}, db[N] = {0.0};
  __enzyme_autodiff((void *)mixed, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, 2);
  return da[0] != 0.0 && db[0] != 0.0 ? 0 : 1;
}
