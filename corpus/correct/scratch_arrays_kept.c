/* Scratch arrays of which a loop reads what another iteration has left, so that it cannot be made again from this one's numbers. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>

enum { N = 5, D = 6 };

static double use(double c, double m) { return exp(-c * c * m); }

/* Two iterations of a nest write one cell, and the later one counts. */
static double overlapping(const double *x, const double *m, const int *lengths) {
  double *c = malloc(sizeof(double) * 2 * D), total = 0.0;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 4; l++) c[2 * k + l] = x[i * D + l] - m[k];
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 4; l++) total += use(c[2 * k + l], m[l]) + lengths[0];
  }
  free(c);
  return total;
}

/* The array is filled in some iterations only, */
static double now_and_then(const double *x, const double *m, const int *lengths) {
  double *c = malloc(sizeof(double) * D), total = 0.0;
  for (int i = 0; i < N; i++) {
    int d = 4;
    if (lengths[i] > 3)
      for (int l = 0; l < d; l++) c[l] = x[i * D + l] - m[l];
    for (int l = 0; l < d; l++) total += use(c[l], m[l]);
  }
  free(c);
  return total;
}

/* or only if it is long. */
static double when_long(const double *x, const double *m, const int *lengths) {
  double *c = malloc(sizeof(double) * D), total = 0.0;
  for (int i = 0; i < N; i++) {
    int d = lengths[i];
    if (d > 3)
      for (int l = 0; l < d; l++) c[l] = x[i * D + l] - m[l];
    for (int l = 0; l < d; l++) total += use(c[l], m[l]);
  }
  free(c);
  return total;
}

/* The last cell is of a longer array, */
static double one_more(const double *x, const double *m, const int *lengths) {
  double *c = malloc(sizeof(double) * D), total = 0.0;
  for (int i = 0; i < N; i++) {
    int d = lengths[i];
    for (int l = 0; l < d; l++) c[l] = x[i * D + l] - m[l];
    if (i > 0)
      for (int l = 0; l < d + 1; l++) total += use(c[l], m[l]);
  }
  free(c);
  return total;
}

/* or it is not filled to its end. */
static double one_less(const double *x, const double *m, const int *lengths) {
  double *c = malloc(sizeof(double) * D), total = 0.0;
  for (int i = 0; i < N; i++) {
    int d = lengths[i];
    for (int l = 0; l < d - 1; l++) c[l] = x[i * D + l] - m[l];
    if (i > 0)
      for (int l = 0; l < d; l++) total += use(c[l], m[l]);
  }
  free(c);
  return total;
}

/* Something else than a store writes there. */
static double copied(const double *x, const double *m, const int *lengths) {
  double *c = malloc(sizeof(double) * D), *own = malloc(sizeof(double) * D), total = 0.0;
  for (int i = 0; i < N; i++) {
    int d = lengths[i];
    for (int l = 0; l < d; l++) c[l] = x[i * D + l] - m[l];
    for (int l = 0; l < d; l++) own[l] = m[l] * m[l];
    for (int l = 0; l < d / 2; l++) c[l] = own[d - 1 - l];
    for (int l = 0; l < d; l++) total += use(c[l], own[l]);
  }
  free(c);
  free(own);
  return total;
}

static double sum(const double *d, int n) {
  double all = 0.0;
  for (int i = 0; i < n; i++) all += d[i];
  return all;
}

#define GRADIENT(f) \
  (__enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, m, dm, enzyme_const, lengths), sum(dx, N * D) + sum(dm, D))

int main(void) {
  double x[N * D], m[D] = {0.3, 0.7, 1.1, 0.4, 0.9, 0.2}, dx[N * D] = {0}, dm[D] = {0};
  int lengths[N] = {6, 3, 4, 2, 5};
  for (int i = 0; i < N * D; i++) x[i] = 0.1 * (i % 7) - 0.2;
  double all = GRADIENT(overlapping) + GRADIENT(now_and_then) + GRADIENT(when_long);
  all += GRADIENT(one_more) + GRADIENT(one_less) + GRADIENT(copied);
  return !isfinite(all);
}
