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

int main(void) {
  double p[P] = {0.7, -0.3, 1.1, 0.9, -0.6}, d[4][P] = {{0}}, sum = 0.0;
  __enzyme_autodiff((void *)mended, enzyme_dup, p, d[0], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)shared, enzyme_dup, p, d[1], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)running, enzyme_dup, p, d[2], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)seen, enzyme_dup, p, d[3], enzyme_const, all, enzyme_const, some);
  for (int i = 0; i < P; i++) sum += d[0][i] + d[1][i] + d[2][i] + d[3][i];
  return !isfinite(sum);
}
