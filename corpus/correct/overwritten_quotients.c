// Quotients that are infinite, or not even that, where they are overwritten before anybody reads them: in memory of the
// function, of its caller, by the function itself and by another one, and in the next iteration.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 3

static double sum_of_squares(const double *w, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += w[i] * w[i];
  return sum;
}

/* Where there is none, another number takes its place. */
static double mended(const double *x, const double *d, double *w, int n) {
  for (int i = 0; i < n; i++) w[i] = x[i] / d[i] * x[i];
  for (int i = 0; i < n; i++)
    if (d[i] < 0.5) w[i] = x[i];
  return sum_of_squares(w, n);
}

/* The same, found by its result, in memory of the function. */
static double not_finite(const double *x, const double *d, double *w, int n) {
  double *t = malloc(n * sizeof *t), sum = w[0];
  for (int i = 0; i < n; i++) t[i] = x[i] / d[i] * x[i];
  for (int i = 0; i < n; i++)
    if (!isfinite(t[i])) t[i] = x[i];
  for (int i = 0; i < n; i++) sum += t[i] * t[i];
  free(t);
  return sum;
}

/* Added to what is zero. */
static double added(const double *x, const double *d, double *w, int n) {
  memset(w, 0, n * sizeof *w);
  for (int i = 0; i < n; i++) {
    w[i] += x[i] / d[i] * x[i];
    if (d[i] < 0.5) w[i] = x[i];
  }
  return sum_of_squares(w, n);
}

/* By functions of their own. */
__attribute__((noinline)) static void fill(double *w, const double *x, const double *d, int n) {
  for (int i = 0; i < n; i++) w[i] = x[i] / d[i] * x[i];
}

__attribute__((noinline)) static void mend(double *w, const double *x, const double *d, int n) {
  for (int i = 0; i < n; i++)
    if (d[i] < 0.5) w[i] = x[i];
}

static double by_others(const double *x, const double *d, double *w, int n) {
  fill(w, x, d, n);
  mend(w, x, d, n);
  return sum_of_squares(w, n);
}

/* By one that calls itself. */
static void mend_from(double *w, const double *x, const double *d, int n) {
  if (n == 0) return;
  mend_from(w + 1, x + 1, d + 1, n - 1);
  if (d[0] < 0.5) w[0] = x[0];
}

static double by_another(const double *x, const double *d, double *w, int n) {
  for (int i = 0; i < n; i++) w[i] = x[i] / d[i] * x[i];
  mend_from(w, x, d, n);
  return sum_of_squares(w, n);
}

/* In a cell that each iteration takes for itself. */
static double reused(const double *x, const double *d, double *w, int n) {
  double *last = malloc(sizeof *last);
  for (int i = 0; i < n; i++) *last = x[i] / d[i] * x[i] * 2 / x[i];
  double sum = *last * *last + w[0] * x[0];
  free(last);
  return sum;
}

/* Read, and limited. */
static double limited(const double *x, const double *d, double *w, int n) {
  for (int i = 0; i < n; i++) w[i] = x[i] / d[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; i++) sum += fmin(w[i] * x[i], 10.0);
  return sum;
}

static int differ(const char *name, const double *dx, const double *dd, const double *by_x, const double *by_d) {
  for (int i = 0; i < MANY; i++)
    if (!(fabs(dx[i] - by_x[i]) < 1e-12 && fabs(dd[i] - by_d[i]) < 1e-12))
      return printf("%s, component %d: %g, %g\n", name, i, dx[i], dd[i]), 1;
  return 0;
}

#define CHECK(f, by_x, by_d, ...)                                                                                     \
  do {                                                                                                                \
    double dx[MANY] = {0}, dd[MANY] = {0}, w[MANY] = {0}, dw[MANY] = {0};                                             \
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx, __VA_ARGS__, enzyme_dup, w, dw, enzyme_const, MANY);              \
    if (differ(#f, dx, dd, by_x, by_d)) return 1;                                                                     \
  } while (0)

int main(void) {
  double x[MANY] = {1, 2, 3}, d[MANY] = {1e-310, 2, 4};
  /* w_i = x_i^2 / d_i, or x_i in the first place. */
  double squares[MANY] = {2, 8, 6.75}, squares_by_d[MANY] = {0, -4, -2.53125};
  CHECK(mended, squares, squares_by_d, enzyme_dup, d, dd);
  CHECK(not_finite, squares, squares_by_d, enzyme_dup, d, dd);
  CHECK(added, squares, squares_by_d, enzyme_dup, d, dd);
  CHECK(by_others, squares, squares_by_d, enzyme_dup, d, dd);
  CHECK(by_another, squares, squares_by_d, enzyme_dup, d, dd);
  double last[MANY] = {0, 0, 1.5}, last_by_d[MANY] = {0, 0, -1.125};
  CHECK(reused, last, last_by_d, enzyme_dup, d, dd);
  double cubes[MANY] = {0, 6, 6.75}, none[MANY] = {0};
  CHECK(limited, cubes, none, enzyme_const, d);
  return 0;
}
