/* Sums over data whose summands need memory of their own: a gradient need not keep more than one summand. In the last functions a summand
 * needs what the one before it has left, so that it has to. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>

extern int enzyme_primal_return;

enum { POINTS = 5, WIDTH = 3 };

/* The scratch is written whole before it is read. */
static double whole(const double *p, const double *data, int n, int d) {
  double *at = malloc(sizeof(double) * (size_t)d), total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < d; j++) at[j] = exp(p[j] * data[i * d + j]);
    for (int j = 1; j < d; j++) at[j] = sin(at[j]) * at[j - 1];
    double norm = 0.0;
    for (int j = 0; j < d; j++) norm += at[j] * at[j];
    total += log(1.0 + norm);
  }
  free(at);
  return 2.0 * total;
}

/* Two sums, one of them of an inner loop. */
static double two(const double *p, const double *data, int n, int d) {
  double first = p[0], second = 0.0;
  for (int i = 0; i < n; i++) {
    double at[WIDTH];
    for (int j = 0; j < WIDTH; j++) at[j] = cos(p[j] + data[i * d + j]);
    for (int j = 0; j < WIDTH; j++) second -= at[j] * sin(at[(j + 1) % WIDTH]);
    first += at[0] * at[1];
  }
  return first - 3.0 * second;
}

/* The sum is needed: its logarithm. */
static double needed(const double *p, const double *data, int n, int d) {
  double total = 1.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) total += exp(sin(p[j] * data[i * d + j]));
  return log(total);
}

/* Of the scratch, one element is that of the point before. */
static double left_over(const double *p, const double *data, int n, int d) {
  double *at = calloc((size_t)d + 1, sizeof(double)), total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < d; j++) at[j] = sin(p[j] * data[i * d + j]);
    double sum = 0.0;
    for (int j = 0; j < d + 1; j++) sum += at[j] * at[j];
    at[d] = sum;
    total += exp(-sum);
  }
  free(at);
  return total;
}

/* Only some points write it. */
static double some(const double *p, const double *data, int n, int d) {
  double *at = calloc((size_t)d, sizeof(double)), total = 0.0;
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0)
      for (int j = 0; j < d; j++) at[j] = sin(p[j] * data[i * d + j]);
    for (int j = 0; j < d; j++) total += at[j] * exp(at[j] * p[j]);
  }
  free(at);
  return total;
}

/* The loop that writes it is left too early. */
static double short_of(const double *p, const double *data, int n, int d) {
  double *at = calloc((size_t)d, sizeof(double)), total = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = i == 0 ? 0 : 1; j < d; j++) at[j] = sin(p[j] * data[i * d + j]);
    for (int j = 0; j < d; j++) total += at[j] * exp(at[j] * p[j]);
  }
  free(at);
  return total;
}

/* What the first loop writes beside its sum, the second one reads. */
static double read_behind(const double *p, const double *data, int n, int d) {
  double *at = malloc(sizeof(double) * (size_t)d), squares = 0.0, total = 0.0;
  for (int j = 0; j < d; j++) {
    at[j] = exp(p[j]);
    squares += at[j] * at[j];
  }
  for (int i = 0; i < n; i++) {
    double product = 1.0;
    for (int j = 0; j < d; j++) product *= cos(at[j] * data[i * d + j]);
    total += exp(product);
  }
  free(at);
  return total + squares;
}

/* What it returns is needed by the call that is one level further up. */
static double recursive(const double *p, const double *data, int n, int d) {
  double total = 0.0;
  for (int i = 0; i < n; i++) total += exp(p[i % d] * sin(data[i]));
  if (d == 1) return total;
  double below = recursive(p, data, n, d - 1);
  return total + sin(below) * below;
}

/* The data is overwritten behind the loop. */
static double overwritten(const double *p, double *data, int n, int d) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    double product = 1.0;
    for (int j = 0; j < d; j++) product *= sin(p[j] * data[i * d + j]);
    total += exp(product);
  }
  for (int i = 0; i < n * d; i++) data[i] = 0.0;
  return total;
}

static double sum(const double *dp) { return dp[0] + dp[1] + dp[2]; }

int main(void) {
  double p[WIDTH] = {0.3, -0.7, 1.1}, data[POINTS * WIDTH], clean[POINTS * WIDTH], all = 0.0;
  for (int i = 0; i < POINTS * WIDTH; i++) clean[i] = data[i] = 0.1 * (double)(i * i % 17) - 0.6;
  double dp[10][WIDTH] = {{0}};
  __enzyme_autodiff((void *)whole, enzyme_dup, p, dp[0], enzyme_const, data, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)two, enzyme_dup, p, dp[1], enzyme_const, data, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)needed, enzyme_dup, p, dp[2], enzyme_const, data, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)left_over, enzyme_dup, p, dp[3], enzyme_const, data, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)some, enzyme_dup, p, dp[4], enzyme_const, data, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)short_of, enzyme_dup, p, dp[5], enzyme_const, data, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)overwritten, enzyme_dup, p, dp[6], enzyme_const, data, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)read_behind, enzyme_dup, p, dp[7], enzyme_const, clean, enzyme_const, POINTS, enzyme_const, WIDTH);
  __enzyme_autodiff((void *)recursive, enzyme_dup, p, dp[8], enzyme_const, clean, enzyme_const, POINTS, enzyme_const, WIDTH);
  /* Here the sum is asked for as well. */
  double value = __enzyme_autodiff((void *)two, enzyme_primal_return, enzyme_dup, p, dp[9], enzyme_const, clean, enzyme_const, POINTS,
                                   enzyme_const, WIDTH);
  if (value != two(p, clean, POINTS, WIDTH)) return 1;
  for (int i = 0; i < 10; i++) all += sum(dp[i]);
  return !isfinite(all);
}
