// A stencil in place: an iteration reads what its neighbour writes.
// adj-flags: -fopenmp
#include <stdio.h>

#define N 48
static double a[N + 1];

int main(void) {
  for (int i = 0; i <= N; i++)
    a[i] = i % 3;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    a[i] = 0.5 * (a[i] + a[i + 1]); //~ race
  printf("%d\n", a[0] >= 0);
  return 0;
}
