// Each iteration needs the result of the one before.
// adj-flags: -fopenmp
#include <stdio.h>

#define N 64
static int a[N];

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i % 5;
#pragma omp parallel for
  for (int i = 1; i < N; i++)
    a[i] += a[i - 1]; //~ race
  printf("%d\n", a[N - 1] > 0);
  return 0;
}
