// Two loops without a barrier between them share their iterations out in different ways.
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 32 };
static double a[N], b[N];

int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N; i++)
      a[i] = i; //~ race
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i]; //~ race
  }
  printf("%g\n", b[0]);
  return 0;
}
