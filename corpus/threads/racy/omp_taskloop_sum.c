// The tasks of a `taskloop` add to one variable.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4) shared(sum)
  for (int i = 0; i < 32; i++)
    sum += i; //~ race
  printf("%d\n", sum > 0);
  return 0;
}
