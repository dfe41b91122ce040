// A number of single precision in between, made of one whose bits were rotated and rotated back: the function is a
// staircase of so few steps that five differences may stand on the same.
#include "adj.h"
#include <stdio.h>
#include <string.h>

static double f(double *a1, const double *a2) {
  float x3 = (-1.3534f);
  double x4 = 0.2564;
  double a5[1] = {-0.5546};
  a5[0] = 0.16 * (x4 * a1[0]);
  x3 = a2[0];
  {
    double plain = a5[0], again;
    unsigned long word;
    memcpy(&word, &plain, sizeof word);
    word = __builtin_rotateleft64(word, 34);
    word = __builtin_rotateright64(word, 34);
    memcpy(&again, &word, sizeof again);
    x3 = 0.1 * again * 0.5 + 0.15 * again;
  }
  return (0.5f / (0.58f + x3 * x3));
}

int main(void) {
  double a1[1] = {1.01};
  double d1[1] = {0};
  double a2[1] = {0.3763};
  double d2[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, a1, d1, enzyme_dup, a2, d2);
  for (int i = 0; i < 1; i++) printf("%.17g %.17g\n", (double)a1[i], (double)d1[i]);
  for (int i = 0; i < 1; i++) printf("%.17g %.17g\n", (double)a2[i], (double)d2[i]);
  return 0;
}
