/* Scratch arrays that one loop fills and the next reads, in each iteration of a loop around both: what is read can be made again from what it was made of. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>

enum { N = 5, D = 4 };

/* The distance of points from centres that are weighted (a Gaussian's exponent): the differences are read twice. */
static double gauss(const double *x, const double *m, int n, int d) {
  double *c = malloc(sizeof(double) * (size_t)d), *r = malloc(sizeof(double) * (size_t)d), total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < d; l++) c[l] = x[i * d + l] - m[l];
    for (int l = 0; l < d; l++) r[l] = m[l] * c[l];
    for (int l = 0; l < d; l++)
      for (int k = l + 1; k < d; k++) r[k] += m[k] * x[k] * c[l];
    for (int l = 0; l < d; l++) total += exp(-r[l] * r[l]);
  }
  free(c);
  free(r);
  return total;
}

/* One behind the other; a cell of its own; backwards. */
static double shifted(const double *x, const double *m, int n, int d) {
  double c[16], total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < d; l++) c[l] = x[i * d + l] - m[l];
    double e = 1.0;
    for (int l = 1; l < d; l++) e += sin(c[l] * c[l - 1]) * m[l];
    for (int l = d - 1; l >= 0; l--) e += c[l] * c[l] * c[0];
    total += e * e;
  }
  return total;
}

/* Two counters, of other widths. */
static double table(const double *x, const double *m, int n, int d) {
  double c[N][D], total = 0.01 * n * d;
  for (int t = 0; t < 3; t++) {
    for (long i = 0; i < N; i++)
      for (long l = 0; l < D; l++) c[i][l] = x[i * D + l] + m[l] + t;
    for (int l = 0; l < D; l++)
      for (int i = 0; i < N; i++) total += sin(c[i][l] * c[i][l]) * c[i][0];
  }
  return total;
}

/* What is stored was made of what had been stored before. */
static double chain(const double *x, const double *m, int n, int d) {
  double a[16], b[16], total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < d; l++) a[l] = x[i * d + l] - m[l];
    for (int l = 0; l < d; l++) b[l] = a[l] + a[l] - m[0];
    for (int l = 0; l < d; l++) total += exp(-b[l] * b[l] * m[l]);
  }
  return total;
}

/* Its second half is of the iteration before. */
static double half(const double *x, const double *m, int n, int d) {
  double c[16] = {0}, total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < d - i % 2; l++) c[l] = x[i * d + l] - m[l];
    for (int l = 0; l < d; l++) total += exp(-c[l] * c[l] * m[l]);
  }
  return total;
}

/* Cells are written again within the loop: the last one counts. */
static double folded(const double *x, const double *m, int n, int d) {
  double c[16] = {0}, total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < d; l++) c[l / 2] = x[i * d + l] - m[l];
    for (int l = 0; l < d; l++) total += exp(-c[l / 2] * c[l / 2] * m[l]);
  }
  return total;
}

/* Something else writes there in between. */
static double corrected(const double *x, const double *m, int n, int d) {
  double c[16], total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < d; l++) c[l] = x[i * d + l] - m[l];
    c[i % d] += m[i % d] * c[0];
    for (int l = 0; l < d; l++) total += exp(-c[l] * c[l] * m[l]);
  }
  return total;
}

/* What it is made of has changed in between. */
static double moving(const double *x, const double *m, int n, int d) {
  double c[16], at[16] = {0.1, 0.2, 0.3, 0.4}, total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < d; l++) c[l] = x[i * d + l] - at[l];
    for (int l = 0; l < d; l++) at[l] += 0.1 * m[l];
    for (int l = 0; l < d; l++) total += exp(-c[l] * c[l] * m[l]);
  }
  return total;
}

static double sum(const double *d, int n) {
  double all = 0.0;
  for (int i = 0; i < n; i++) all += d[i];
  return all;
}

#define GRADIENT(f) \
  (__enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, m, dm, enzyme_const, N, enzyme_const, D), sum(dx, N * D) + sum(dm, D))

int main(void) {
  double x[N * D], m[D] = {0.3, -0.7, 1.1, 0.4}, dx[N * D] = {0}, dm[D] = {0};
  for (int i = 0; i < N * D; i++) x[i] = 0.1 * (i % 7) - 0.2;
  double all = GRADIENT(gauss) + GRADIENT(shifted) + GRADIENT(table) + GRADIENT(chain);
  all += GRADIENT(half) + GRADIENT(folded) + GRADIENT(corrected) + GRADIENT(moving);
  return !isfinite(all);
}
