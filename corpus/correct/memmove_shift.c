// memmove of doubles with overlap (a delay line), and memset of the tail to zero.
#include "adj.h"
#include <stdio.h>
#include <string.h>

#define TAPS 5

static double filter(const double *signal, int n, const double *taps, double *line) {
  double energy = 0.0;
  for (int i = 0; i < n; i++) {
    memmove(line + 1, line, (TAPS - 1) * sizeof *line);
    line[0] = signal[i];
    double y = 0.0;
    for (int k = 0; k < TAPS; k++)
      y += taps[k] * line[k];
    line[2] += 0.1 * y * y;
    energy += y * y;
  }
  memset(line + 3, 0, 2 * sizeof *line);
  return energy;
}

int main(void) {
  double s[9], ds[9] = {0}, t[TAPS] = {0.5, 0.3, -0.2, 0.1, 0.05}, dt[TAPS] = {0};
  double line[TAPS] = {0.1, 0.2, 0.3, 0.4, 0.5}, dline[TAPS] = {0};
  for (int i = 0; i < 9; i++)
    s[i] = (i % 4) * 0.4 - 0.5;
  __enzyme_autodiff((void *)filter, enzyme_dup, s, ds, enzyme_const, 9, enzyme_dup, t, dt, enzyme_dup, line,
                    dline);
  for (int i = 0; i < 9; i++)
    printf("%.17g\n", ds[i]);
  for (int i = 0; i < TAPS; i++)
    printf("%.17g %.17g %.17g\n", dt[i], line[i], dline[i]);
  return 0;
}
