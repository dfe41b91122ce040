/* What a program has left in an array is not there in the reverse pass if the cell is written again, by the same store or by something else, or
 * if its memory is gone. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, WIDTH = 3, SIZE = ROWS * WIDTH };

/* Another store, a memset, a copy, a called function write there later. */
static double later(const double *p, int n, int how, void (*to)(double *, int)) {
  double *at = malloc(sizeof(double) * (size_t)n), *others = calloc((size_t)n, sizeof(double)), total = 0.0;
  for (int i = 0; i < n; i++) {
    at[i] = exp(p[i % WIDTH] + 0.1 * i);
    total += at[i] * at[i];
  }
  if (how == 0)
    for (int i = 0; i < n; i++) at[i] *= 2.0;
  if (how == 1) memset(at, 0, sizeof(double) * (size_t)n);
  if (how == 2) memcpy(at, others, sizeof(double) * (size_t)n);
  if (how == 3) to(at, n);
  for (int i = 0; i < n; i++) total += at[i];
  free(others);
  free(at);
  return total;
}

static double by_store(const double *p, int n) {
  double at[SIZE], total = 0.0;
  for (int i = 0; i < n; i++) {
    at[i] = exp(p[i % WIDTH] + 0.1 * i);
    total += at[i] * at[i];
  }
  for (int i = 0; i < n; i++) at[i] = 2.0 * at[i] + i;
  for (int i = 0; i < n; i++) total += at[i];
  return total;
}

static double by_memset(const double *p, int n) {
  double at[SIZE], total = 0.0;
  for (int i = 0; i < n; i++) {
    at[i] = exp(p[i % WIDTH] + 0.1 * i);
    total += at[i] * at[i];
  }
  memset(at, 0, sizeof at);
  for (int i = 0; i < n; i++) total += p[0] * at[i];
  return total;
}

__attribute__((noinline)) static void doubled(double *at, int n) {
  for (int i = 0; i < n; i++) at[i] *= 2.0;
}

static double by_call(const double *p, int n) {
  double at[SIZE], total = 0.0;
  for (int i = 0; i < n; i++) {
    at[i] = exp(p[i % WIDTH] + 0.1 * i);
    total += at[i] * at[i];
  }
  doubled(at, n);
  for (int i = 0; i < n; i++) total += at[i];
  return total;
}

/* A part of it, and through another name. */
static double in_part(const double *p, int n) {
  double at[SIZE], total = 0.0;
  for (int i = 0; i < n; i++) {
    at[i] = exp(p[i % WIDTH] + 0.1 * i);
    total += at[i] * at[i];
  }
  memset(at + n / 2, 0, sizeof(double) * (size_t)(n - n / 2));
  for (int i = 0; i < n; i++) total += at[i];
  return total;
}

static double other_name(const double *p, double *out, double *same, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double e = exp(p[i % WIDTH] + 0.1 * i);
    out[i] = e;
    total += e * e;
  }
  for (int i = 0; i < n; i++) same[i] = 0.5 * same[i];
  return total;
}

/* The memory of each iteration is given back. */
static double freed(const double *p, int n, int d) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double *at = malloc(sizeof(double) * (size_t)d);
    for (int j = 0; j < d; j++) {
      at[j] = exp(p[j] * (0.1 + i));
      total += at[j] * at[j];
    }
    total = sin(total) + at[d - 1];
    free(at);
  }
  return total;
}

/* The function calls itself with the same memory. */
static double recursive(const double *p, double *at, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double e = exp(p[i % WIDTH] * (0.1 + n));
    at[i] = e;
    total += e * e;
  }
  return n > 1 ? total + sin(recursive(p, at, n - 1)) : total;
}

/* Only now and then. */
static double some(const double *p, int n) {
  double at[SIZE] = {0}, total = 0.0;
  for (int i = 0; i < n; i++) {
    double e = exp(p[i % WIDTH] + 0.1 * i);
    if (i % 3) at[i] = e;
    total += e * e;
  }
  for (int i = 0; i < n; i++) total += at[i];
  return total;
}

static double sum(const double *dp) { return dp[0] + dp[1] + dp[2]; }

int main(void) {
  double p[WIDTH] = {0.3, -0.7, 1.1}, dp[9][WIDTH] = {{0}}, out[2][SIZE] = {{0}}, dout[2][SIZE] = {{0}}, all = 0.0;
  dout[0][2] = -0.5;
  for (int how = 0; how < 4; how++)
    __enzyme_autodiff((void *)later, enzyme_dup, p, dp[0], enzyme_const, SIZE, enzyme_const, how, enzyme_const, doubled);
  __enzyme_autodiff((void *)by_store, enzyme_dup, p, dp[1], enzyme_const, SIZE);
  __enzyme_autodiff((void *)by_memset, enzyme_dup, p, dp[2], enzyme_const, SIZE);
  __enzyme_autodiff((void *)by_call, enzyme_dup, p, dp[3], enzyme_const, SIZE);
  __enzyme_autodiff((void *)in_part, enzyme_dup, p, dp[4], enzyme_const, SIZE);
  __enzyme_autodiff((void *)other_name, enzyme_dup, p, dp[5], enzyme_dup, out[0], dout[0], enzyme_dup, out[0], dout[0], enzyme_const, SIZE);
  __enzyme_autodiff((void *)freed, enzyme_dup, p, dp[6], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)recursive, enzyme_dup, p, dp[7], enzyme_dup, out[1], dout[1], enzyme_const, ROWS);
  __enzyme_autodiff((void *)some, enzyme_dup, p, dp[8], enzyme_const, SIZE);
  for (int i = 0; i < 9; i++) all += sum(dp[i]);
  return !isfinite(all);
}
