// A fast Fourier transform in place, by its definition with two halves, and back.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 256 };
static double re[N], im[N], cosine[N / 2], sine[N / 2];
static void transform(int sign) {
  for (int i = 1, j = 0; i < N; i++) {
    int bit = N >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      double t = re[i];
      re[i] = re[j];
      re[j] = t;
      t = im[i];
      im[i] = im[j];
      im[j] = t;
    }
  }
  for (int len = 2; len <= N; len <<= 1)
    for (int i = 0; i < N; i += len)
      for (int k = 0; k < len / 2; k++) {
        double wr = cosine[k * (N / len)], wi = sign * sine[k * (N / len)];
        int p = i + k, q = p + len / 2;
        double xr = re[q] * wr - im[q] * wi, xi = re[q] * wi + im[q] * wr;
        re[q] = re[p] - xr;
        im[q] = im[p] - xi;
        re[p] += xr;
        im[p] += xi;
      }
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int k = 0; k < N / 2; k++) {
    cosine[k] = cos(k * (6.283185307179586 / N));
    sine[k] = sin(k * (6.283185307179586 / N));
  }
  for (int i = 0; i < N; i++)
    re[i] = (i * 37 % 101) * 0.01;
  for (int r = 0; r < rounds; r++) {
    transform(1);
    transform(-1);
    for (int i = 0; i < N; i++) {
      re[i] /= N;
      im[i] /= N;
    }
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += re[i] * (i % 5) + im[i];
  printf("%.17g\n", sum);
  return 0;
}
