// A function that is to be called again in the reverse pass, in place of a kept result; promises that are kept.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double weight(int i, int n) { return 0.5 - 0.5 * cos(2.0 * 3.14159265358979 * i / (n + 2)); }
void *__enzyme_shouldrecompute_weight = (void *)weight;

static double window(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s = s * weight(i, n) + x[i] * x[i] * weight(i + 1, n);
  return s;
}
void *__enzyme_nofree_window = (void *)window;

int main(void) {
  double x[6] = {0.1, 0.9, -0.4, 1.5, 0.8, -1.2}, dx[6] = {0};
  __enzyme_autodiff((void *)window, enzyme_dup, x, dx, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
