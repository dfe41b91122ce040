// The second loop reads what other threads wrote in the first one, which does not wait.
// adj-flags: -fopenmp
#include <stdio.h>

static int a[32], b[32];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 32; i++)
      a[i] = i * i; //~ race
#pragma omp for schedule(static)
    for (int i = 0; i < 32; i++)
      b[i] = a[31 - i]; //~ race
  }
  printf("%d\n", b[0] >= 0);
  return 0;
}
