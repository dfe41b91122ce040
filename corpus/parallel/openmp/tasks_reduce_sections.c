// Tasks of a loop and of a group reduce sections of arrays; others are untied, final, have a place where they are best
// executed, or come before and after all others.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 9 };

static double power(const double *x, int k) {
  if (k == 0) return 1;
  // What a final task makes is executed at once.
  if (omp_in_final()) return power(x, k - 1) * x[k - 1];
  double rest;
#pragma omp task shared(rest) final(k < 3) untied
  rest = power(x, k - 1);
#pragma omp taskwait
  return rest * x[k - 1];
}

static double f(const double *x, int n) {
  double bins[6] = {0}, sums[3] = {1, 2, 3}, last = 0, first = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : bins[:6]) grainsize(2)
    for (int i = 0; i < n; i++) bins[i % 6] += x[i] * x[i];
#pragma omp taskgroup task_reduction(+ : sums[:3])
    {
      for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sums[:3]) firstprivate(i)
        sums[1 + i % 2] += bins[i % 6] * x[i];
      }
    }
#pragma omp task depend(out : first) shared(first) affinity(bins)
    first = sums[1] * x[0];
#pragma omp task depend(inout : omp_all_memory) shared(first, last)
    last = first * sums[2];
#pragma omp task depend(inout : first) shared(first)
    first *= 2;
  }
  double *rows[3] = {bins, bins + 2, sums}, deep = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(deep)
    deep = rows[2][1] * rows[1][1] + power(x, 4);
  }
  return last + first + deep + bins[1] * bins[5];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
