// A function is given a tangent in one call, and in another what a variable's pointer leads to, which has none: its numbers are no tangents.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "adj.h"

static double *weights;
static struct {
  const double *offsets;
  int n;
} settings;

__attribute__((noinline)) static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

__attribute__((noinline)) static double squares(const double *x, int n) { return dot(x, weights, n) * dot(x, x, n); }

__attribute__((noinline)) static double either(const double *x, int n) {
  const double *p = n > 100 ? x : settings.offsets;
  double sum = 0.0;
  for (int i = 0; i < settings.n; i++) sum += sin(x[i]) * p[i];
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  int n = 2 + argc;
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  weights = malloc(3 * sizeof(double));
  for (int i = 0; i < 3; i++) weights[i] = i + 0.5;
  settings.offsets = weights;
  settings.n = n;
  dx[0] = 1;
  printf("%.12f ", __enzyme_fwddiff((void *)squares, enzyme_dup, x, dx, n));
  printf("%.12f %.12f %.12f\n", dx[0], dx[1], dx[2]);
  printf("%.12f ", __enzyme_fwddiff((void *)either, enzyme_dup, x, dx, n));
  printf("%.12f %.12f %.12f\n", dx[0], dx[1], dx[2]);
  for (int i = 0; i < 3; i++)
    if (weights[i] != i + 0.5) return 1;
  free(weights);
  return 0;
}
