// A stencil from one field into another, with a dynamic schedule.
// adj-flags: -fopenmp
#include <stdio.h>

#define N 48
static double a[N + 1], b[N + 1];

int main(void) {
  for (int i = 0; i <= N; i++)
    a[i] = i % 3;
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 0; i < N; i++)
    b[i] = 0.5 * (a[i] + a[i + 1]);
  printf("%d\n", (int)(2 * b[10]));
  return 0;
}
