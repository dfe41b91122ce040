// A helper that two loops call for different results, side by side.
// adj-flags: -fopenmp
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { N = 12 };

__attribute__((noinline)) static void step(const double *x, double *y, int i) { y[i] = x[i] * x[i] + sin(x[i]); }

static double f(const double *x, int n) {
  double y[N], z[N];
#pragma omp parallel
  {
#pragma omp for nowait schedule(static, 1)
    for (int i = 0; i < n; i++)
      step(x, y, i);
#pragma omp for schedule(static, 4)
    for (int i = 0; i < n; i++)
      step(x, z, n - 1 - i);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * z[i];
  return sum;
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
