// Loops of tasks of a given number and of a given size, downwards, in steps, collapsed, with values that are first
// private and last private, and one that nobody awaits before the barrier.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 13 };

static double f(const double *x, int n) {
  double y[N], z[N], last = 0, scale = x[0] * x[1];
  int end = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop num_tasks(3) lastprivate(last) firstprivate(scale)
    for (int i = 0; i < n; i++) {
      y[i] = x[i] * scale;
      last = y[i] * x[n - 1 - i];
    }
#pragma omp taskloop grainsize(4) lastprivate(end)
    for (int i = n - 1; i >= 0; i -= 1) {
      z[i] = y[i] * y[(i + 3) % n];
      end = i;
    }
#pragma omp taskloop collapse(2)
    for (int i = 0; i < n; i += 5)
      for (int j = 0; j < 2; j++)
        if (i + j < n) y[i + j] += sin(z[i + j] + last);
#pragma omp taskloop nogroup
    for (unsigned i = 0; i < (unsigned)n; i += 2) z[i] *= x[i] + end;
  }
  double sum = last;
  for (int i = 0; i < n; i++) sum += y[i] * z[n - 1 - i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
