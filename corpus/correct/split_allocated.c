// Split reverse mode with tapes in memory of the caller, one for each point of a grid, all alive at once.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_tape, enzyme_allocated, enzyme_nofree;
int __enzyme_augmentsize(void *, ...);
void __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

enum { POINTS = 5 };

static void stress(const double *strain, double *out, double mu) {
  double trace = strain[0] + strain[1];
  for (int i = 0; i < 2; i++)
    out[i] = mu * exp(strain[i]) * trace + strain[i] * strain[1 - i];
}

int main(void) {
  double strain[POINTS][2], out[POINTS][2], dstrain[POINTS][2] = {{0}}, dout[POINTS][2];
  int size = __enzyme_augmentsize((void *)stress, enzyme_dup, enzyme_dup, enzyme_const);
  if (size <= 0)
    return 1;
  char *tapes = malloc(POINTS * (size_t)(size + 15 & ~15));
  for (int p = 0; p < POINTS; p++) {
    strain[p][0] = 0.1 * p;
    strain[p][1] = 0.3 - 0.05 * p;
    __enzyme_augmentfwd((void *)stress, enzyme_allocated, size, enzyme_tape, tapes + p * (size_t)(size + 15 & ~15),
                        strain[p], dstrain[p], out[p], dout[p], enzyme_const, 1.5);
  }
  for (int p = 0; p < POINTS; p++) {
    dout[p][0] = 1.0;
    dout[p][1] = -0.5 * p;
    __enzyme_reverse((void *)stress, enzyme_allocated, size, enzyme_tape, tapes + p * (size_t)(size + 15 & ~15), strain[p],
                     dstrain[p], out[p], dout[p], enzyme_const, 1.5);
    printf("%.12g %.12g\n", dstrain[p][0], dstrain[p][1]);
  }
  free(tapes);
  for (int p = 0; p < POINTS; p++) {
    double e0 = exp(strain[p][0]), e1 = exp(strain[p][1]), t = strain[p][0] + strain[p][1], w = -0.5 * p;
    double expected = 1.5 * (e0 * t + e0) + strain[p][1] + w * (1.5 * e1 + strain[p][1]);
    if (fabs(dstrain[p][0] - expected) > 1e-12)
      return 2;
  }
  return 0;
}
