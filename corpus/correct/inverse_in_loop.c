// A two by two inverse applied repeatedly: every trip needs the matrix of its own trip.
#include "adj.h"
#include <stdio.h>

static void invert(const double m[4], double out[4]) {
  double det = m[0] * m[3] - m[1] * m[2];
  out[0] = m[3] / det;
  out[1] = -m[1] / det;
  out[2] = -m[2] / det;
  out[3] = m[0] / det;
}

static double repeated(const double *start, int rounds) {
  double m[4], inverse[4], trace = 0.0;
  for (int i = 0; i < 4; i++)
    m[i] = start[i];
  for (int r = 0; r < rounds; r++) {
    invert(m, inverse);
    for (int i = 0; i < 4; i++)
      m[i] = 0.5 * m[i] + 0.25 * inverse[i] + (i % 3 == 0 ? 0.1 : 0.0);
    trace += m[0] * m[3] - inverse[1];
  }
  return trace;
}

int main(void) {
  for (int rounds = 1; rounds <= 3; rounds++) {
    double m[4] = {1.3, 0.2, -0.4, 0.9}, dm[4] = {0};
    printf("%.17g\n", repeated(m, rounds));
    __enzyme_autodiff((void *)repeated, enzyme_dup, m, dm, enzyme_const, rounds);
    printf("%.17g %.17g %.17g %.17g\n", dm[0], dm[1], dm[2], dm[3]);
  }
  return 0;
}
