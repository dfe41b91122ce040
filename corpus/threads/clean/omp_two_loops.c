// Two loops in one region; the first one ends with a barrier.
// adj-flags: -fopenmp
#include <stdio.h>

static int a[32], b[32];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 32; i++)
      a[i] = i * i;
#pragma omp for schedule(static)
    for (int i = 0; i < 32; i++)
      b[i] = a[31 - i];
  }
  printf("%d\n", b[0] + b[31]);
  return 0;
}
