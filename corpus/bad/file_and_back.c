// Numbers go through a file that another function has open.
// adj-exit: 3
// adj-message: by `fwrite`
#include "adj.h"
#include <stdio.h>

static FILE *scratch;

static void save(const double *x, int n) { fwrite(x, sizeof *x, n, scratch); }

static void restore(double *x, int n) {
  rewind(scratch);
  if (fread(x, sizeof *x, n, scratch) != (size_t)n) x[0] = 0.0;
}

static double f(const double *x, int n) {
  double y[4];
  save(x, n);
  restore(y, n);
  return y[0] * y[1] + y[2];
}

int main(void) {
  double x[3] = {0.5, -1.25, 2.0}, dx[3] = {0};
  scratch = tmpfile();
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  fclose(scratch);
}
