/* What a program leaves in arrays of its own is there in the reverse pass, and need not be kept a second time. In the later functions it is not
 * there any more: the cell is written again, by the same store or by something else, or its memory is gone. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, WIDTH = 3, SIZE = ROWS * WIDTH };

/* Each cell once, in a nest of loops with a bound that is not known. */
static double table(const double *p, int n, int d) {
  double *at = malloc(sizeof(double) * (size_t)(n * d)), total = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {
      at[i * d + j] = exp(p[j] * (0.1 + i));
      total += at[i * d + j] * at[i * d + j];
    }
  for (int i = 0; i < n * d; i++) total += sin(at[i]);
  free(at);
  return total;
}

/* A cube, and a fixed inner length. */
static double cube(const double *p, int n, int d) {
  double *at = calloc((size_t)(n * d * 2), sizeof(double)), total = 1.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < 2; k++) {
        double e = exp(p[j] * (0.1 * i + k));
        at[(i * d + j) * 2 + k] = e;
        total += e * e;
      }
  for (int i = 0; i < n * d * 2; i++) total *= 1.0 + 0.01 * at[i];
  free(at);
  return total;
}

/* Memory of the caller, and of the stack. */
static double given(const double *p, double *restrict out, int n) {
  double own[SIZE], total = 0.0;
  for (int i = 0; i < n; i++) {
    out[i] = exp(p[i % WIDTH] + 0.1 * i);
    own[i] = tanh(out[i] * p[0]);
  }
  for (int i = 0; i < n; i++) total += own[i] * out[i] * out[i];
  return total;
}

/* The rows overlap: a row is one cell shorter than it is long. */
static double overlapping(const double *p, int n, int d) {
  double *at = malloc(sizeof(double) * (size_t)(n * d + 1)), total = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d + 1; j++) {
      double e = exp(p[j % WIDTH] * (0.1 + i));
      at[i * d + j] = e;
      total += e * e;
    }
  for (int i = 0; i < n * d + 1; i++) total += at[i];
  free(at);
  return total;
}

/* The rows are another's length apart, which happens to be shorter. */
static double other_length(const double *p, int n, int d, int apart) {
  double *at = malloc(sizeof(double) * (size_t)(n * d)), total = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {
      double e = exp(p[j] * (0.1 + i));
      at[i * apart + j] = e;
      total += e * e;
    }
  for (int i = 0; i < (n - 1) * apart + d; i++) total += at[i];
  free(at);
  return total;
}

/* In each iteration of the outer loop the same cells. */
static double again(const double *p, int n, int d) {
  double *at = malloc(sizeof(double) * (size_t)d), total = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {
      double e = exp(p[j] * (0.1 + i));
      at[j] = e;
      total = sin(total) + e * e;
    }
  for (int j = 0; j < d; j++) total += at[j];
  free(at);
  return total;
}

/* Two iterations write one cell. */
static double halves(const double *p, int n) {
  double at[SIZE], total = 0.0;
  for (int i = 0; i < n; i++) {
    double e = exp(p[i % WIDTH] * (0.1 + i));
    at[i / 2] = e;
    total += e * e;
  }
  for (int i = 0; i < n / 2; i++) total += at[i];
  return total;
}

/* The index goes round. */
static double round_and_round(const double *p, int n) {
  double at[256], total = 0.0;
  for (int i = 0; i < n; i++) {
    double e = exp(p[i % WIDTH] * (0.001 + 0.001 * i));
    at[(unsigned char)i] = e;
    total += e * e;
  }
  for (int i = 0; i < 256; i++) total += at[i];
  return total;
}

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
  double p[WIDTH] = {0.3, -0.7, 1.1}, dp[20][WIDTH] = {{0}}, out[3][SIZE] = {{0}}, dout[3][SIZE] = {{0}}, all = 0.0;
  dout[0][1] = 1.5, dout[1][2] = -0.5;
  __enzyme_autodiff((void *)table, enzyme_dup, p, dp[0], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)cube, enzyme_dup, p, dp[1], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)given, enzyme_dup, p, dp[2], enzyme_dup, out[0], dout[0], enzyme_const, SIZE);
  __enzyme_autodiff((void *)overlapping, enzyme_dup, p, dp[3], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)other_length, enzyme_dup, p, dp[4], enzyme_const, ROWS, enzyme_const, WIDTH, enzyme_const, 2);
  __enzyme_autodiff((void *)again, enzyme_dup, p, dp[5], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)halves, enzyme_dup, p, dp[6], enzyme_const, SIZE);
  __enzyme_autodiff((void *)round_and_round, enzyme_dup, p, dp[7], enzyme_const, 300);
  for (int how = 0; how < 4; how++)
    __enzyme_autodiff((void *)later, enzyme_dup, p, dp[8], enzyme_const, SIZE, enzyme_const, how, enzyme_const, doubled);
  __enzyme_autodiff((void *)by_store, enzyme_dup, p, dp[9], enzyme_const, SIZE);
  __enzyme_autodiff((void *)by_memset, enzyme_dup, p, dp[10], enzyme_const, SIZE);
  __enzyme_autodiff((void *)by_call, enzyme_dup, p, dp[11], enzyme_const, SIZE);
  __enzyme_autodiff((void *)in_part, enzyme_dup, p, dp[12], enzyme_const, SIZE);
  __enzyme_autodiff((void *)other_name, enzyme_dup, p, dp[13], enzyme_dup, out[1], dout[1], enzyme_dup, out[1], dout[1], enzyme_const, SIZE);
  __enzyme_autodiff((void *)freed, enzyme_dup, p, dp[14], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)recursive, enzyme_dup, p, dp[15], enzyme_dup, out[2], dout[2], enzyme_const, ROWS);
  __enzyme_autodiff((void *)some, enzyme_dup, p, dp[16], enzyme_const, SIZE);
  for (int i = 0; i < 17; i++) all += sum(dp[i]);
  return !isfinite(all);
}
