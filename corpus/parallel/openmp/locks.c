// Locks, one for each bin.
// adj-flags: -fopenmp
#include <math.h>
#include <omp.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { N = 12 };

static omp_lock_t lock[3];
static double f(const double *x, int n) {
  double bins[3] = {1, 1, 1};
  for (int k = 0; k < 3; k++)
    omp_init_lock(&lock[k]);
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    omp_set_lock(&lock[i % 3]);
    bins[i % 3] *= 0.5 + x[i];
    omp_unset_lock(&lock[i % 3]);
  }
  for (int k = 0; k < 3; k++)
    omp_destroy_lock(&lock[k]);
  return bins[0] * bins[1] + bins[2];
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
