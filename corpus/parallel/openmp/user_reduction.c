// A reduction that the program declares.
// adj-flags: -fopenmp
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { N = 12 };

struct pair {
  double a, b;
};
static void join(struct pair *out, const struct pair *in) {
  out->a += in->a;
  out->b *= in->b;
}
#pragma omp declare reduction(pairs : struct pair : join(&omp_out, &omp_in)) initializer(omp_priv = {0, 1})
static double f(const double *x, int n) {
  struct pair p = {0, 1};
#pragma omp parallel for reduction(pairs : p)
  for (int i = 0; i < n; i++) {
    p.a += x[i] * x[i];
    p.b *= 0.5 + x[i];
  }
  return p.a * p.b;
}

int main(void) {
  double x[N], dx[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.4 + 0.13 * i;
    dx[i] = 0;
  }
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    const double h = 1e-5, at = x[i];
    x[i] = at + h;
    const double above = f(x, N);
    x[i] = at - h;
    const double below = f(x, N);
    x[i] = at;
    const double slope = (above - below) / (2 * h);
    if (!(fabs(slope - dx[i]) <= 1e-6 * (1 + fabs(slope)))) {
      printf("dx[%d] = %.12g, but the slope is %.12g\n", i, dx[i], slope);
      wrong = 1;
    }
  }
  return wrong;
}
