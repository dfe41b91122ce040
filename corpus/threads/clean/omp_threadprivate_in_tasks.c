// What a thread has of its own is touched by the tasks that it executes, one after the other, and by the thread itself.
// adj-flags: -fopenmp
#include <stdio.h>

static int sum;
#pragma omp threadprivate(sum)

int main(void) {
  int total = 0;
#pragma omp parallel
  {
    sum = 0;
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
      sum += i;
    }
#pragma omp critical
    total += sum;
  }
  printf("%d\n", total);
  return 0;
}
