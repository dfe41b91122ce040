// A function in another precision: its values are those of the same function written in that precision, and it has
// derivatives.
#include "adj.h"
#include <math.h>

typedef double function(double *, int);
function *__enzyme_truncate_op_func(function *, int, int);
function *__enzyme_truncate_mem_func(function *, int, int);
double __enzyme_truncate_mem_value(double, int, int);
double __enzyme_expand_mem_value(double, int, int);

static double term(double v, int k) { return sin(v) + v / (k + 1) - 0.1; }

static double norm(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    x[i] = term(x[i], i);
    sum = fma(x[i], x[i], sum);
  }
  return sqrt(sum);
}

static float term_in_float(float v, int k) { return sinf(v) + v / (float)(k + 1) - 0.1f; }

static float norm_in_float(float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    x[i] = term_in_float(x[i], i);
    sum = fmaf(x[i], x[i], sum);
  }
  return sqrtf(sum);
}

int main(void) {
  enum { N = 5 };
  double x[N], dx[N] = {0}, y[N], z[N];
  float w[N];
  for (int i = 0; i < N; i++)
    x[i] = y[i] = z[i] = w[i] = 0.3 * i + 0.7;
  float wanted = norm_in_float(w, N);
  if (__enzyme_truncate_op_func(norm, 64, 32)(y, N) != wanted)
    return 1;
  for (int i = 0; i < N; i++)
    z[i] = __enzyme_truncate_mem_value(z[i], 64, 32);
  double in_memory = __enzyme_truncate_mem_func(norm, 64, 32)(z, N);
  if (__enzyme_expand_mem_value(in_memory, 64, 32) != wanted)
    return 1;
  for (int i = 0; i < N; i++)
    if (y[i] != w[i] || __enzyme_expand_mem_value(z[i], 64, 32) != w[i])
      return 1;
  __enzyme_autodiff((void *)__enzyme_truncate_op_func(norm, 64, 32), enzyme_dup, x, dx, enzyme_const, N);
  return 0;
}
