// Functions that are declared to be like known ones, in three spellings: their bodies (a table look-up with a bit trick, an
// iteration until nothing changes) are not what is differentiated.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Newton's iteration by hand, from a start that is made of bits.
static double my_sqrt(double x) {
  union {
    double value;
    unsigned long long bits;
  } u = {x};
  u.bits = (u.bits >> 1) + (1023ULL << 51);
  double y = u.value;
  for (int i = 0; i < 6; i++)
    y = 0.5 * (y + x / y);
  return y;
}
void *__enzyme_function_like_sqrt[2] = {(void *)my_sqrt, "sqrt"};

__attribute__((annotate("enzyme_function_like=log1p"))) static double my_log1p(double x) { return log1p(x); }

__attribute__((enzyme_function_like("exp"))) static double my_exp(double x) { return exp(x); }

static void my_free(void *p) { free(p); }
void *__enzyme_function_like_free[2] = {(void *)my_free, "free"};

static double f(const double *x, int n) {
  double *y = malloc(n * sizeof *y), s = 0.0;
  for (int i = 0; i < n; i++)
    y[i] = my_log1p(x[i] * x[i]) * my_exp(-x[i]);
  for (int i = 0; i < n; i++)
    s += my_sqrt(1.0 + y[i] * y[(i + 1) % n]);
  my_free(y);
  return s;
}

int main(void) {
  double x[4] = {0.4, 1.2, -0.3, 2.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.12f\n", dx[i]);
  return 0;
}
