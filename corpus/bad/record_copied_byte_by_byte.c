// A record that begins with an integer is copied byte by byte, in a function and beside its use: which byte is a part of a
// number depends on the index. (At higher levels the loops are whole copies.)
// adj-exit: 3
// adj-levels: O0
// adj-message: left the floats before
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct record {
  long tag;
  double entries[2];
};

__attribute__((noinline)) static void copy(char *to, const char *from, long size) {
  for (long i = 0; i < size; i++) to[i] = from[i];
}

static double f(const double *x) {
  struct record here = {1, {x[0], x[0] * x[0]}}, there;
  char bytes[sizeof here];
  copy(bytes, (char *)&here, sizeof here);
  memcpy(&there, bytes, sizeof there);
  return there.entries[0] + there.entries[1];
}

int main(void) {
  double x[1] = {1.5}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g\n", dx[0]);
  return 0;
}
