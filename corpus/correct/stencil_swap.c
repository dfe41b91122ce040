// A diffusion stencil that swaps two buffers by pointer: the same pointer names both in turn.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double diffuse(const double *start, int n, int steps, double k) {
  double *now = malloc((size_t)n * sizeof *now), *next = malloc((size_t)n * sizeof *next);
  if (!now || !next)
    abort();
  for (int i = 0; i < n; i++)
    now[i] = start[i];
  for (int s = 0; s < steps; s++) {
    next[0] = now[0];
    next[n - 1] = now[n - 1];
    for (int i = 1; i + 1 < n; i++)
      next[i] = now[i] + k * now[i] * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
    double *t = now;
    now = next;
    next = t;
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += now[i] * now[i];
  free(now);
  free(next);
  return sum;
}

int main(void) {
  double x[9], dx[9] = {0};
  for (int i = 0; i < 9; i++)
    x[i] = 1.0 + 0.1 * (i * i % 5);
  printf("%.17g\n", diffuse(x, 9, 7, 0.2));
  double dk = __enzyme_autodiff((void *)diffuse, enzyme_dup, x, dx, enzyme_const, 9, enzyme_const, 7,
                                enzyme_out, 0.2);
  printf("%.17g\n", dk);
  for (int i = 0; i < 9; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
