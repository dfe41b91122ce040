// Recursive tasks with taskwait, tasks in a group, and a taskloop.
// adj-flags: -fopenmp
#include <stdio.h>

static int fibonacci(int n) {
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  int sums[6] = {0, 0, 0, 0, 0, 0}, j = 0;
#pragma omp parallel
#pragma omp single
  {
    sums[0] = fibonacci(7);
#pragma omp taskgroup
    for (int i = 1; i < 4; i++)
#pragma omp task shared(sums) firstprivate(i)
      sums[i] = i * i;
    j = sums[1] + sums[2] + sums[3];
#pragma omp taskloop shared(sums) grainsize(1)
    for (int i = 4; i < 6; i++)
      sums[i] = i;
  }
  printf("%d %d\n", sums[0] + sums[4] + sums[5] + j, j >= 0);
  return 0;
}
