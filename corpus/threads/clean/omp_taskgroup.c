// The end of a `taskgroup` waits for a task and for the task that it makes in turn.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int first = 0, second = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(first, second)
      {
#pragma omp task shared(second)
        second = 2;
        first = 1;
      }
    }
    first += second;
  }
  printf("%d %d\n", first, second);
  return 0;
}
