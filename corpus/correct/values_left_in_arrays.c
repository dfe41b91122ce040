/* What a program leaves in arrays of its own is there in the reverse pass, and need not be kept a second time, if no cell is written twice. */
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

static double sum(const double *dp) { return dp[0] + dp[1] + dp[2]; }

int main(void) {
  double p[WIDTH] = {0.3, -0.7, 1.1}, dp[8][WIDTH] = {{0}}, out[SIZE] = {0}, dout[SIZE] = {0}, all = 0.0;
  dout[1] = 1.5;
  __enzyme_autodiff((void *)table, enzyme_dup, p, dp[0], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)cube, enzyme_dup, p, dp[1], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)given, enzyme_dup, p, dp[2], enzyme_dup, out, dout, enzyme_const, SIZE);
  __enzyme_autodiff((void *)overlapping, enzyme_dup, p, dp[3], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)other_length, enzyme_dup, p, dp[4], enzyme_const, ROWS, enzyme_const, WIDTH, enzyme_const, 2);
  __enzyme_autodiff((void *)again, enzyme_dup, p, dp[5], enzyme_const, ROWS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)halves, enzyme_dup, p, dp[6], enzyme_const, SIZE);
  __enzyme_autodiff((void *)round_and_round, enzyme_dup, p, dp[7], enzyme_const, 300);
  for (int i = 0; i < 8; i++) all += sum(dp[i]);
  return !isfinite(all);
}
