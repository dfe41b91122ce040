// What a layer leaves in memory is read by the next one, and the memory is freed and used again before the function ends: the
// reverse pass needs the numbers as they were.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4

static void dense(double *out, const double *weights, const double *in, int n) {
  for (int i = 0; i < n; i++) {
    double sum = 0.1 * i;
    for (int j = 0; j < n; j++)
      sum += weights[i * n + j] * in[j];
    out[i] = tanh(sum);
  }
}

static double network(const double *weights, const double *x, int n, int keep) {
  double *hidden = malloc(sizeof(double) * (size_t)n), last[N];
  dense(hidden, weights, x, n);
  dense(last, weights + n * n, hidden, n);
  double total = hidden[0] * last[n - 1];
  if (!keep)
    free(hidden);
  /* As likely as not where the first block was. */
  double *other = malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    other[i] = 100.0 + last[i] * last[(i + 1) % n];
  for (int i = 0; i < n; i++)
    total += sqrt(other[i]) * last[i];
  free(other);
  if (keep)
    free(hidden);
  return total;
}

int main(void) {
  double weights[2 * N * N], dweights[2 * N * N] = {0}, x[N], dx[N] = {0};
  for (int i = 0; i < 2 * N * N; i++)
    weights[i] = 0.5 * sin(1.0 + i);
  for (int i = 0; i < N; i++)
    x[i] = 0.3 - 0.2 * i;
  for (int keep = 0; keep < 2; keep++)
    __enzyme_autodiff((void *)network, enzyme_dup, weights, dweights, enzyme_dup, x, dx, enzyme_const, N, enzyme_const,
                      keep);
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g %.17g\n", dx[i], dweights[5 * i], dweights[N * N + 3 * i]);
  return 0;
}
