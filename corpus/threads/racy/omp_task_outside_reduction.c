// One task of the group adds to the variable itself, and not to a part of its own.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
      sum += 1;
#pragma omp task shared(sum)
      sum += 2; //~ race
#pragma omp task shared(sum)
      sum += 3; //~ race
    }
  }
  printf("%d\n", sum > 0);
  return 0;
}
