/* Memory that may not hold what its numbers are made of, for somebody else writes or reads there. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7, P = 5 };

/* Numbers that the optimiser does not know. */
static volatile int all = N, some = 9;

static const int order[9] = {3, 0, 6, 6, 2, 5, 1, 3, 3};

/* One more is written behind the loop: that point is no longer made of what lies there. */
static double mended(const double *p, int n, int reads) {
  double *at = malloc(sizeof(double) * 2 * (size_t)n), total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] * i);
    at[2 * i] = p[2] * a + p[3] * b;
    at[2 * i + 1] = p[3] * a - p[2] * b;
  }
  at[2 * order[0]] = p[4] * p[4];
  for (int i = 0; i < reads; i++) total += sin(at[2 * order[i]]) * at[2 * order[i] + 1];
  free(at);
  return total;
}

/* The rows overlap: what one row holds, the next one writes over. */
static double shared(const double *p, int n, int reads) {
  double *at = malloc(sizeof(double) * (size_t)(n + 1)), total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[i] = p[2] * a + p[3] * b;
    at[i + 1] = p[3] * a - p[2] * b;
  }
  for (int i = 0; i < reads; i++) total += sin(at[order[i]]) * at[order[i] + 1];
  free(at);
  return total;
}

/* The loop itself reads what the last iteration left; and what was never written is clear. */
static double running(const double *p, int n, int reads) {
  double *at = calloc((size_t)(2 * n + 2), sizeof(double)), total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[2 * i + 2] = p[2] * a + p[3] * b;
    at[2 * i + 3] = p[3] * a - p[2] * b;
    total += at[2 * i] * at[2 * i + 1];
  }
  for (int i = 0; i < reads; i++) total += cos(at[2 * order[i]] + p[4]) * at[2 * order[i] + 1];
  free(at);
  return total;
}

/* Others look at it as bytes. */
static double seen(const double *p, int n, int reads) {
  double at[2 * N], copy[2 * N], total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[2 * i] = p[2] * a + p[3] * b;
    at[2 * i + 1] = p[3] * a - p[2] * b;
  }
  memcpy(copy, at, sizeof(double) * 2 * (size_t)n);
  for (int i = 0; i < reads; i++) total += sin(at[2 * order[i]]) * copy[2 * order[i] + 1];
  return total;
}

/* What was never written is clear, and nothing is made of it. */
static double unwritten(const double *p, int n, int reads) {
  double *at = calloc((size_t)(2 * n + 4), sizeof(double)), total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[2 * i] = p[2] * a + p[3] * b + p[4];
    at[2 * i + 1] = p[3] * a - p[2] * b - p[4];
  }
  for (int i = 0; i < reads; i++) total += cos(at[2 * order[i] + 2]) * at[2 * order[8 - i] + 1];
  free(at);
  return total;
}

/* One of the two is written now and then. */
static double sometimes(const double *p, int n, int reads) {
  double at[2 * N + 2] = {0}, total = 0.0;
  for (int i = 0; i < N; i++) at[2 * i + 1] = p[4];
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[2 * i] = p[2] * a + p[3] * b;
    if (order[i] & 1) at[2 * i + 1] = p[3] * a - p[2] * b;
  }
  for (int i = 0; i < reads; i++) total += sin(at[2 * order[i]]) * at[2 * order[i] + 1];
  return total;
}

/* The same, where nothing was there before, and nobody looks at what is not written. */
static double odd(const double *p, int n, int reads) {
  static const int odds[9] = {3, 1, 5, 5, 1, 5, 1, 3, 3};
  double *at = malloc(sizeof(double) * 2 * (size_t)n), total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[2 * i] = p[2] * a + p[3] * b;
    if (i & 1) at[2 * i + 1] = p[3] * a - p[2] * b;
  }
  for (int i = 0; i < reads; i++) total += sin(at[2 * order[i]]) * at[2 * odds[i] + 1];
  free(at);
  return total;
}

/* Which of the two it is that is read is not known. */
static double anywhere(const double *p, int n, int reads) {
  double *at = malloc(sizeof(double) * 2 * (size_t)n), total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[2 * i] = p[2] * a + p[3] * b;
    at[2 * i + 1] = p[3] * a - p[2] * b;
  }
  for (int i = 0; i < reads; i++) total += sin(at[order[i]]) * at[order[i] + 3];
  free(at);
  return total;
}

/* It is read when half of the row is written. */
static double between(const double *p, int n, int reads) {
  static int upto[N] = {0, 1, 1, 3, 0, 5, 6};
  double *at = malloc(sizeof(double) * 2 * (size_t)n), total = 0.0;
  for (int i = 0; i < n; i++) {
    double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
    at[2 * i] = p[2] * a + p[3] * b;
    total += at[2 * upto[i]] * p[4];
    at[2 * i + 1] = p[3] * a - p[2] * b;
  }
  upto[0] = 0;
  for (int i = 0; i < reads; i++) total += sin(at[2 * order[i]]) * at[2 * order[i] + 1];
  free(at);
  return total;
}

int main(void) {
  double p[P] = {0.7, -0.3, 1.1, 0.9, -0.6}, d[9][P] = {{0}}, sum = 0.0;
  __enzyme_autodiff((void *)mended, enzyme_dup, p, d[0], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)shared, enzyme_dup, p, d[1], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)running, enzyme_dup, p, d[2], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)seen, enzyme_dup, p, d[3], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)unwritten, enzyme_dup, p, d[4], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)sometimes, enzyme_dup, p, d[5], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)odd, enzyme_dup, p, d[6], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)anywhere, enzyme_dup, p, d[7], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)between, enzyme_dup, p, d[8], enzyme_const, all, enzyme_const, some);
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < P; j++) sum += d[i][j];
  return !isfinite(sum);
}
