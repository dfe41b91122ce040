/* Loops that read neighbouring cells, so that neighbouring iterations add to one adjoint: forwards and backwards, by more than one, with cells left out, in rows, in place, from
 * arrays that overlap or nearly do; and of one iteration. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_fwddiff(void *, ...);

enum { N = 36 };

/* A number that the optimiser does not know. */
static volatile int all = N;

static double sum(const double *x, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) total += (i % 5 + 1) * x[i] * x[i];
  return total;
}

/* The first cell is read by one iteration, the second one by two. */
static double forwards(double *out, const double *x, int n) {
  for (int i = 1; i < n - 1; i++) out[i] = x[i - 1] * x[i] + 0.5 * sin(x[i]) * x[i + 1] + x[i - 1];
  return sum(out, n);
}

static double backwards(double *out, const double *x, int n) {
  for (int i = n - 2; i >= 1; i--) out[i] = x[i - 1] * x[i] * x[i + 1];
  return sum(out, n);
}

/* One iteration, or none. */
static double once(double *out, const double *x, int n) {
  for (int i = 1; i < n / 18; i++) out[i] = x[i - 1] * x[i] * x[i + 1];
  for (int i = 1; i < n / 36; i++) out[i] = x[i + 1] * x[i + 2];
  for (int i = 4; i < n / 18 + 3; i++) out[i] = x[i - 1] * x[i + 1];
  for (int i = 7; i < n / 18 + 7; i++) out[i] = x[i - 1] * x[i + 2] * x[i];
  return sum(out, n);
}

/* By two at a time, of which each reads four; and every second one of a pair. */
static double strides(double *out, const double *x, int n) {
  for (int i = 2; i < n - 2; i += 2) out[i] = x[i - 2] * x[i] + x[i] * x[i + 2] * x[i + 1];
  for (int i = 0; i < n / 2 - 2; i++) out[2 * i + 1] += x[2 * i] * x[2 * i + 2] + x[2 * i + 1] * x[2 * i + 3];
  return sum(out, n);
}

/* The cell between is left out; and one far away. */
static double left_out(double *out, const double *x, int n) {
  for (int i = 1; i < n - 1; i++) out[i] = x[i - 1] * x[i + 1];
  for (int i = 0; i < n - 9; i++) out[i] += x[i] * x[i + 1] * x[i + 9];
  for (int i = n - 4; i > 0; i--) out[i] += x[i - 1] * x[i] * x[i + 3];
  return sum(out, n);
}

/* One cell twice, floats, and a factor that all share. */
static double floats(float *out, const float *x, int n) {
  float total = 0.0f;
  for (int i = 0; i < n - 2; i++) out[i] = x[i] * x[i + 1] + x[n - 1] * x[i + 2] + x[i + 1];
  for (int i = 0; i < n; i++) total += out[i] * out[i];
  return (double)total;
}

static double rows(double *out, const double *x, int n) {
  int w = n / 6;
  for (int i = 1; i < 5; i++)
    for (int j = 1; j < w - 1; j++) {
      const double *at = x + i * w + j;
      out[i * w + j] = at[0] * (at[-w] + at[w] - at[-1] * at[1]);
    }
  return sum(out, n);
}

/* An index that is not a sum; and a function that adds to neighbours itself. */
static double masked(double *out, const double *x, int n) {
  for (int i = 0; i < n - 1; i++) out[i] = x[i] * x[i | 1] + sin(x[i + 1]);
  return sum(out, n);
}

static double path(const double *x, int n) { return n ? x[0] * path(x + 1, n - 1) + 0.5 * x[1] : x[0] * x[0]; }

static double called(double *out, const double *x, int n) {
  for (int i = 1; i < n - 3; i++) out[i] = x[i - 1] * x[i] * x[i + 1] + path(x + i, i % 3);
  return sum(out, n);
}

/* Nothing but that: the loop is executed when it is reversed. */
static void residual(double *out, const double *x, int n) {
  for (int i = 1; i < n - 1; i++) out[i] = x[i - 1] * x[i] + 0.5 * sin(x[i]) * x[i + 1];
}

static void residual_of_rows(double *out, const double *x, int n) {
  int w = n / 6;
  for (int i = 1; i < 5; i++)
    for (int j = 1; j < w - 1; j++) {
      const double *at = x + i * w + j;
      out[i * w + j] = at[0] * (at[-w] + at[w] - at[-1] * at[1]);
    }
}

/* What an iteration writes the next one reads. */
static double in_place(double *x, int n) {
  for (int i = 1; i < n - 1; i++) x[i] = 0.5 * x[i] * x[i - 1] + 0.25 * x[i + 1];
  for (int i = n - 2; i >= 1; i--) x[i + 1] = x[i] * x[i - 1] + 0.1 * x[i + 1];
  return sum(x, n);
}

/* Two parts of one array: so far apart, that each cell is read and written. */
static double shifted(double *x, int n, int by) {
  for (int i = 3; i < n / 2; i++) x[i + by] = x[i - 1] * x[i] + 0.5 * x[i + 1];
  return sum(x, n);
}

/* Steps from one array to another and back. */
static double steps(double *a, double *b, int n) {
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i] + 0.1 * a[i] * (a[i - 1] - a[i + 1]);
    double *swapped = a;
    a = b;
    b = swapped;
  }
  return sum(a, n) + b[1];
}

static double own(const double *x, int n) {
  double *at = malloc(sizeof(double) * (size_t)n), total = 0.0;
  for (int i = 0; i < n; i++) at[i] = sin(x[i]);
  for (int i = 0; i < n - 2; i++) total += at[i] * at[i + 1] * at[i + 2] * x[i] * x[i + 1];
  free(at);
  return total;
}

static double slope(const double *x, int n) {
  double at[N], out[N] = {0}, d[N] = {0}, dout[N] = {0}, total = 0.0;
  memcpy(at, x, sizeof at);
  __enzyme_autodiff((void *)forwards, enzyme_dup, out, dout, enzyme_dup, at, d, enzyme_const, n);
  for (int i = 0; i < n; i++) total += d[i] * d[i];
  return total;
}

int main(void) {
  double x[N], d[N], out[N], dout[N], total = 0.0;
#define GRADIENT(f, ...) \
  for (int i = 0; i < N; i++) x[i] = 0.4 + 0.3 * sin(i), d[i] = 0.05 * i, out[i] = 0.1 * i, dout[i] = 0.0; \
  __enzyme_autodiff((void *)f, __VA_ARGS__); \
  for (int i = 0; i < N; i++) total += d[i];
#define FROM_TO(f) GRADIENT(f, enzyme_dup, out, dout, enzyme_dup, x, d, enzyme_const, all)
  FROM_TO(forwards)
  FROM_TO(backwards)
  FROM_TO(once)
  FROM_TO(strides)
  FROM_TO(left_out)
  FROM_TO(rows)
  FROM_TO(steps)
  FROM_TO(masked)
  FROM_TO(called)
#define SEEDED(f) \
  for (int i = 0; i < N; i++) x[i] = 0.4 + 0.3 * sin(i), d[i] = 0.05 * i, dout[i] = 1.0 - 0.1 * i; \
  __enzyme_autodiff((void *)f, enzyme_dup, out, dout, enzyme_dup, x, d, enzyme_const, all); \
  for (int i = 0; i < N; i++) total += d[i];
  SEEDED(residual)
  SEEDED(residual_of_rows)
  GRADIENT(in_place, enzyme_dup, x, d, enzyme_const, all)
  for (int by = -3; by < 6; by++) {
    GRADIENT(shifted, enzyme_dup, x, d, enzyme_const, all, enzyme_const, by)
  }
  GRADIENT(shifted, enzyme_dup, x, d, enzyme_const, all, enzyme_const, N / 2)
  GRADIENT(own, enzyme_dup, x, d, enzyme_const, all)
  GRADIENT(slope, enzyme_dup, x, d, enzyme_const, all)
  float f[N], df[N], fout[N], dfout[N] = {0};
  for (int i = 0; i < N; i++) f[i] = 0.4f + 0.02f * i, df[i] = 0.0f, fout[i] = 0.0f;
  __enzyme_autodiff((void *)floats, enzyme_dup, fout, dfout, enzyme_dup, f, df, enzyme_const, all);
  total += df[3];
  double v[N];
  for (int i = 0; i < N; i++) v[i] = 0.2 * i, x[i] = 0.4 + 0.3 * sin(i);
  total += __enzyme_fwddiff((void *)slope, enzyme_dup, x, v, enzyme_const, all);
  return !isfinite(total);
}
