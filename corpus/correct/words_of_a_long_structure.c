// A structure is copied word by word: what lies behind an index is a number two hundred times, and a pointer once.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 200

struct row {
  double entries[N], *scale;
};

static void copy(char *to, const char *from, int words) {
  for (int i = words - 1; i >= 0; i--) {
    uint64_t word;
    memcpy(&word, from + 8 * i, sizeof word);
    memcpy(to + 8 * i, &word, sizeof word);
  }
}

static double f(double *x) {
  struct row row = {{0}, x + 1}, again;
  for (int i = 0; i < N; i++) row.entries[i] = x[0] * i;
  copy((char *)&again, (const char *)&row, sizeof row / 8);
  return again.scale[0] * again.entries[3];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
