// One head of scaled dot-product attention with a causal mask on a short sequence.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define T 4
#define D 2

static double attention(const double *q, const double *k, const double *v) {
  double out = 0.0;
  for (int i = 0; i < T; i++) {
    double score[T], sum = 0.0;
    for (int j = 0; j <= i; j++) {
      double dot = 0.0;
      for (int d = 0; d < D; d++)
        dot += q[i * D + d] * k[j * D + d];
      score[j] = exp(dot / sqrt((double)D));
      sum += score[j];
    }
    for (int d = 0; d < D; d++) {
      double mix = 0.0;
      for (int j = 0; j <= i; j++)
        mix += score[j] / sum * v[j * D + d];
      out += mix * mix * (i + 1);
    }
  }
  return out;
}

int main(void) {
  double q[T * D], k[T * D], v[T * D], dq[T * D] = {0}, dk[T * D] = {0}, dv[T * D] = {0};
  for (int i = 0; i < T * D; i++) {
    q[i] = 0.4 - 0.15 * i;
    k[i] = 0.1 * ((i * 3) % 7);
    v[i] = 1.0 / (1.0 + i);
  }
  printf("%.17g\n", attention(q, k, v));
  __enzyme_autodiff((void *)attention, enzyme_dup, q, dq, enzyme_dup, k, dk, enzyme_dup, v, dv);
  for (int i = 0; i < T * D; i++)
    printf("%.17g %.17g %.17g\n", dq[i], dk[i], dv[i]);
  return 0;
}
