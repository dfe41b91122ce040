// A function that returns memory it has filled returns the shadow of that memory in forward mode; the caller frees both.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double *__enzyme_fwddiff_pointer(void *, ...);

static double *kept;

static double *powers(double x, int n) {
  double *p = malloc(n * sizeof *p);
  p[0] = 1.0;
  for (int i = 1; i < n; i++)
    p[i] = p[i - 1] * x;
  kept = p;
  return p;
}

int main(void) {
  double *d = __enzyme_fwddiff_pointer((void *)powers, 1.5, 1.0, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g %.17g\n", kept[i], d[i]);
  free(d);
  free(kept);
  return 0;
}
