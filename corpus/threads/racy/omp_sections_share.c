// Two sections write one variable.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int low = 0, high = 0, other = 0;
#pragma omp parallel sections
  {
#pragma omp section
    low = 1; //~ race
#pragma omp section
    low = 2; //~ race
#pragma omp section
    high = 3;
  }
  printf("%d\n", low + other > 0 && high == 3);
  return 0;
}
