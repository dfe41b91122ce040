// The results of tasks are added behind a taskwait.
// adj-flags: -fopenmp
#include <stdio.h>

static int square(int n) { return n * n; }

int main(void) {
  int a = 0, b = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    a = square(3);
#pragma omp task shared(b)
    b = square(4);
#pragma omp taskwait
    sum = a + b;
  }
  printf("%d\n", sum);
  return 0;
}
