// Threads that exchange halves across a barrier, in a loop.
// adj-flags: -fopenmp
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { N = 12 };

static double f(const double *x, int n) {
  double a[N], old[N];
  memcpy(a, x, sizeof a);
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    const int low = me * n / 2, high = (me + 1) * n / 2;
    for (int k = 0; k < 3; k++) {
      for (int i = low; i < high; i++)
        old[i] = a[i];
#pragma omp barrier
      for (int i = low; i < high; i++)
        a[i] = 0.5 * a[i] + 0.25 * old[(i + 1) % n] * old[(i + n - 1) % n];
#pragma omp barrier
    }
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i] * a[i];
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
