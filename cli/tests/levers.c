/* Has something for each lever of differentiation. */
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 40

/* A product of a sum, of which each iteration needs the one before; a branch in which nothing active happens. */
static int hits[8];
static double product(const double *restrict x, const double *restrict w, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double y = x[i] * w[i];
    if (w[i] > 0.5) hits[i % 8]++;
    sum = sum * y + sin(y) * exp(y);
  }
  return sum;
}

/* Each iteration is by itself; the sine is there for the cosine's derivative, and the load is made twice. */
static void map(double *out, const double *x, int n) {
  for (int i = 0; i < n; i++) out[i] = sin(x[i]) * cos(x[i]) + x[i];
}

/* Summands by Horner's rule, which are independent of each other. */
static double summands(const double *x, const double *w, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double y = x[i];
    for (int k = 0; k < n; k++) y = 0.5 * y * y * w[k] + x[i];
    sum += y;
  }
  return sum;
}

/* Weights by a recurrence, and roots that stay in memory of the function's own. */
static double walk(const double *x, int n) {
  double *root = malloc(n * sizeof(double)), state = 1.0;
  unsigned seed = 1;
  for (int i = 0; i < n; i++) {
    seed = seed * 1103515245u + 12345u;
    root[i] = exp(x[i]);
    state = state * (seed >> 24) * 0.01 + root[i] * root[i];
  }
  for (int i = 0; i < n; i++) state += root[i];
  free(root);
  return state;
}

/* Memory that is written in each iteration, by rows of the same length. */
static double rows(const double *x, const double *w, int n) {
  double centred[N], state = 1.0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < N; k++) centred[k] = x[k] - w[i];
    for (int k = 0; k < N; k++) state = 0.5 * state * centred[k] + 1.0;
  }
  return state;
}

/* Each number is read by three iterations. */
static void smooth(double *out, const double *x, int n) {
  for (int i = 1; i < n - 1; i++) out[i] += 0.5 * x[i] * (x[i - 1] + x[i + 1]);
}

/* Butterflies. */
static void swap(double *a, int half) {
  for (int i = 0; i < half; i++) {
    double even = a[i], odd = a[i + half];
    a[i] = even + odd * odd;
    a[i + half] = even - odd;
  }
}

static double x[N], w[N], dx[N], y[N], dy[N];

static void clear(void) {
  for (int i = 0; i < N; i++) x[i] = 0.02 * i, w[i] = 1.0 / (1.0 + i), dx[i] = 0.0, y[i] = 0.0, dy[i] = 1.0 + i;
}

static void show(const char *name) {
  for (int i = 0; i < N; i++) printf("%s %.12f\n", name, dx[i]);
  clear();
}

int main(int argc, char **argv) {
  int n = N - 1 + argc;
  clear();
  for (int k = 0; k < 2; k++) __enzyme_autodiff((void *)product, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, n);
  show("product");
  __enzyme_autodiff((void *)map, enzyme_dup, y, dy, enzyme_dup, x, dx, enzyme_const, n);
  show("map");
  __enzyme_autodiff((void *)summands, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, n);
  show("summands");
  __enzyme_autodiff((void *)walk, enzyme_dup, x, dx, enzyme_const, n);
  show("walk");
  __enzyme_autodiff((void *)rows, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, n);
  show("rows");
  __enzyme_autodiff((void *)smooth, enzyme_dup, y, dy, enzyme_dup, x, dx, enzyme_const, n);
  show("smooth");
  dx[3] = 1.0;
  __enzyme_autodiff((void *)swap, enzyme_dup, x, dx, enzyme_const, n / 2);
  show("swap");
  return hits[0] != 2;
}
