// Recursive radix-2 FFT on split real and imaginary parts with heap scratch in every call.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fft(double *re, double *im, int n) {
  if (n == 1)
    return;
  int h = n / 2;
  double *s = malloc(2 * (size_t)n * sizeof *s);
  if (!s)
    abort();
  for (int i = 0; i < h; i++) {
    s[i] = re[2 * i];
    s[h + i] = re[2 * i + 1];
    s[n + i] = im[2 * i];
    s[n + h + i] = im[2 * i + 1];
  }
  fft(s, s + n, h);
  fft(s + h, s + n + h, h);
  for (int i = 0; i < h; i++) {
    double c = cos(6.283185307179586 * i / n), d = -sin(6.283185307179586 * i / n);
    double tr = c * s[h + i] - d * s[n + h + i], ti = c * s[n + h + i] + d * s[h + i];
    re[i] = s[i] + tr;
    im[i] = s[n + i] + ti;
    re[h + i] = s[i] - tr;
    im[h + i] = s[n + i] - ti;
  }
  free(s);
}

static double power_at(const double *x, int n, int bin) {
  double re[16], im[16];
  for (int i = 0; i < n; i++) {
    re[i] = x[i];
    im[i] = 0.0;
  }
  fft(re, im, n);
  return re[bin] * re[bin] + im[bin] * im[bin];
}

int main(void) {
  double x[16], dx[16] = {0};
  for (int i = 0; i < 16; i++)
    x[i] = 0.1 * i * (i % 3) - 0.4;
  printf("%.17g\n", power_at(x, 16, 3));
  __enzyme_autodiff((void *)power_at, enzyme_dup, x, dx, enzyme_const, 16, enzyme_const, 3);
  for (int i = 0; i < 16; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
