// Three sections write variables of their own.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int low = 0, high = 0, other = 0;
#pragma omp parallel sections
  {
#pragma omp section
    low = 1;
#pragma omp section
    other = 2;
#pragma omp section
    high = 3;
  }
  printf("%d\n", low + high + other);
  return 0;
}
