// Two loops without a barrier between them give each thread the same iterations (OpenMP: static schedules with equal bounds and chunks).
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 32 };
static double a[N], b[N];

int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  printf("%g %g\n", b[0], b[N - 1]);
  return 0;
}
