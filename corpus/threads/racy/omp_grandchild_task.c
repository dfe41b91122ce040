// `taskwait` waits for the task, but not for the task that it makes in turn.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int first = 0, second = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(first, second)
    {
#pragma omp task shared(second)
      second = 2; //~ race
      first = 1;
    }
#pragma omp taskwait
    first += second; //~ race
  }
  printf("%d\n", second);
  return 0;
}
