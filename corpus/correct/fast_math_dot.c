// Reassociated sums: at -O2 and above the loops become vectors with a reduction at the end.
// adj-flags: -ffast-math
#include "adj.h"
#include <stdio.h>

static double dot_and_norm(const double *a, const double *b, int n) {
  double dot = 0.0, norm = 0.0, product = 1.0;
  for (int i = 0; i < n; i++) {
    dot += a[i] * b[i];
    norm += a[i] * a[i];
  }
  for (int i = 0; i < n; i++)
    product *= 1.0 + 0.125 * b[i];
  return dot * dot / norm + product;
}

int main(void) {
  double a[19], b[19], da[19] = {0}, db[19] = {0};
  for (int i = 0; i < 19; i++) {
    a[i] = 0.5 + 0.25 * (i % 7);
    b[i] = 1.5 - 0.125 * (i % 5);
  }
  __enzyme_autodiff((void *)dot_and_norm, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, 19);
  printf("%.10g %.10g %.10g %.10g\n", da[0], da[18], db[0], db[18]);
  return 0;
}
