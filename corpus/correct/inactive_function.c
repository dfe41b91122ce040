// Functions declared inactive in each spelling: they count, look up and print, and have no derivative to contribute.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static int calls = 0;

static double record(const double *x, int n) {
  calls++;
  return x[0] > 0.0 ? (double)n : -(double)n;
}
void *__enzyme_inactivefn_record = (void *)record;

__attribute__((annotate("enzyme_inactive"))) static int bucket(double x) {
  union {
    double value;
    unsigned long long bits;
  } u = {x};
  return (int)(u.bits >> 52 & 3);
}

__attribute__((enzyme_inactive)) static void trace(const double *x, int i) {
  if (i % 2 == 0)
    printf("x[%d] = %g\n", i, x[i]);
}

static double f(const double *x, int n) {
  static const double weights[4] = {1.0, 0.5, 2.0, 0.25};
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    trace(x, i);
    s += weights[bucket(x[i])] * sin(x[i]);
  }
  return s * record(x, n);
}

int main(void) {
  double x[4] = {0.3, 1.7, 2.9, 6.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", dx[i]);
  return calls == 0;
}
