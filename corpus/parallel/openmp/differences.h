/* The gradient of `f` against central differences. Where the programs of this folder start, and how they end: with the
 * number of components that differ.
 */
#ifndef ADJ_DIFFERENCES_H
#define ADJ_DIFFERENCES_H

#include "adj.h"
#include <math.h>
#include <stdio.h>

static void start(double *x, double *dx, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = 0.4 + 0.13 * i;
    dx[i] = 0;
  }
}

static int differing(double (*f)(const double *, int), double *x, const double *gradient, int n) {
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    const double h = 1e-5, at = x[i];
    x[i] = at + h;
    const double above = f(x, n);
    x[i] = at - h;
    const double below = f(x, n);
    x[i] = at;
    const double slope = (above - below) / (2 * h);
    if (!(fabs(slope - gradient[i]) <= 1e-6 * (1 + fabs(slope)))) {
      printf("component %d: %.12g, differences %.12g\n", i, gradient[i], slope);
      wrong++;
    }
  }
  return wrong;
}

#endif
