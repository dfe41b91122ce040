// Heat in a rod, a region around the loop over time.
// adj-flags: -fopenmp
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { N = 12 };

static double f(const double *x, int n) {
  double u[2][N];
  memcpy(u[0], x, sizeof u[0]);
  memcpy(u[1], x, sizeof u[1]);
#pragma omp parallel
  for (int t = 0; t < 6; t++) {
    const double *from = u[t % 2];
    double *to = u[(t + 1) % 2];
#pragma omp for
    for (int i = 1; i < n - 1; i++)
      to[i] = from[i] + 0.2 * (from[i - 1] - 2 * from[i] + from[i + 1]) * from[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u[0][i] * u[0][i];
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
