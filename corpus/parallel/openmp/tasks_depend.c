// Tasks in an order that they declare.
// adj-flags: -fopenmp
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { N = 12 };

static double f(const double *x, int n) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a)
    a = x[0] * x[1];
#pragma omp task depend(in : a) depend(out : b)
    b = a * x[2];
#pragma omp task depend(in : a) depend(out : c)
    c = a * a + x[3];
#pragma omp task depend(in : b, c) depend(inout : a)
    a = b * c + x[n - 1];
  }
  return a * a;
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
