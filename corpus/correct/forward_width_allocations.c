// Several directions through memory that the function allocates, frees and hands to recursive calls.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct two {
  double a, b;
};
struct two __enzyme_fwddiff_two(void *, ...);

static double evaluate(double *work, int n, double x) {
  if (n == 1)
    return work[0] * x;
  double *half = malloc((n / 2) * sizeof *half);
  for (int i = 0; i < n / 2; i++)
    half[i] = work[i] + sin(x) * work[i + n / 2];
  double result = evaluate(half, n / 2, x) + 0.5 * work[n - 1];
  free(half);
  return result;
}

static double fold(const double *c, int n, double x) {
  double *copy = malloc(n * sizeof *copy);
  memcpy(copy, c, n * sizeof *copy);
  double result = evaluate(copy, n, x);
  free(copy);
  return result;
}

int main(void) {
  double c[8], d[8], e[8];
  for (int i = 0; i < 8; i++) {
    c[i] = 1.0 / (i + 1.0);
    d[i] = i == 3;
    e[i] = 0.25 * i;
  }
  struct two r = __enzyme_fwddiff_two((void *)fold, enzyme_width, 2, enzyme_dup, c, d, e, enzyme_const, 8,
                                      enzyme_dup, 0.6, 1.0, -1.0);
  printf("%.17g %.17g\n", r.a, r.b);
  return 0;
}
