// Iterative FFT: bit reversal by swaps, then butterflies in place on interleaved data.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 16

static void fft(double *z, int n) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j)
      for (int c = 0; c < 2; c++) {
        double t = z[2 * i + c];
        z[2 * i + c] = z[2 * j + c];
        z[2 * j + c] = t;
      }
  }
  for (int len = 2; len <= n; len *= 2)
    for (int i = 0; i < n; i += len)
      for (int k = 0; k < len / 2; k++) {
        double angle = -6.283185307179586 * k / len;
        double wr = cos(angle), wi = sin(angle);
        double *a = z + 2 * (i + k), *b = z + 2 * (i + k + len / 2);
        double tr = wr * b[0] - wi * b[1], ti = wr * b[1] + wi * b[0];
        b[0] = a[0] - tr;
        b[1] = a[1] - ti;
        a[0] += tr;
        a[1] += ti;
      }
}

int main(void) {
  double z[2 * N], dz[2 * N];
  for (int i = 0; i < 2 * N; i++) {
    z[i] = 1.0 / (1.0 + i);
    dz[i] = i == 6 ? 1.0 : 0.0;
  }
  __enzyme_autodiff((void *)fft, enzyme_dup, z, dz, enzyme_const, N);
  for (int i = 0; i < 2 * N; i++)
    printf("%.17g %.17g\n", z[i], dz[i]);
  return 0;
}
