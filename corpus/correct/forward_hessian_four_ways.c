// Second derivatives by every nesting of the two modes: all four are one number, and the Hessian is symmetric.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static double f(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    double t = x[i + 1] - x[i] * x[i];
    sum += t * t * exp(0.1 * x[i]) + sin(x[i] * x[i + 1]);
  }
  return sum > 100.0 ? log(sum) : sum * x[0];
}

// The component j of the gradient, by either mode.
static double by_reverse(const double *x, int n, int j) {
  double g[4] = {0.0};
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, n);
  return g[j];
}

static double by_forward(const double *x, int n, int j) {
  double e[4] = {0.0};
  e[j] = 1.0;
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, e, enzyme_const, n);
}

int main(void) {
  double x[4] = {0.4, -0.3, 0.8, 0.5};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double e[4] = {0.0}, rr[4] = {0.0}, rf[4] = {0.0};
      e[i] = 1.0;
      double fr = __enzyme_fwddiff((void *)by_reverse, enzyme_dup, x, e, enzyme_const, 4, enzyme_const, j);
      double ff = __enzyme_fwddiff((void *)by_forward, enzyme_dup, x, e, enzyme_const, 4, enzyme_const, j);
      __enzyme_autodiff((void *)by_reverse, enzyme_dup, x, rr, enzyme_const, 4, enzyme_const, j);
      __enzyme_autodiff((void *)by_forward, enzyme_dup, x, rf, enzyme_const, 4, enzyme_const, j);
      double worst = fmax(fmax(fabs(fr - ff), fabs(fr - rr[i])), fabs(fr - rf[i]));
      printf("%d %d %.12g %d\n", i, j, fr, worst < 1e-12);
    }
  return 0;
}
