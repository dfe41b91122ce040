// A slot is zeroed by memset in every trip; its shadow must be zeroed again in the reverse sweep,
// or the adjoint grows with the trip count.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct accumulator {
  double sum;
  double weight;
  double history[4];
};

static double windowed(const double *x, int n) {
  struct accumulator acc;
  double result = 0.0;
  for (int i = 0; i + 4 <= n; i++) {
    memset(&acc, 0, sizeof acc);
    for (int k = 0; k < 4; k++) {
      acc.history[k] = x[i + k] * (k + 1);
      acc.sum += acc.history[k] * x[i];
      acc.weight += x[i + k];
    }
    result += acc.sum / acc.weight + acc.history[2] * acc.history[3];
  }
  return result;
}

int main(void) {
  double x[10], dx[10] = {0};
  for (int i = 0; i < 10; i++)
    x[i] = 0.5 + 0.1 * ((i * 7) % 10);
  printf("%.17g\n", windowed(x, 10));
  __enzyme_autodiff((void *)windowed, enzyme_dup, x, dx, enzyme_const, 10);
  for (int i = 0; i < 10; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
