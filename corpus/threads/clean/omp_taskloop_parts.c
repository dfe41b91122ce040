// The tasks of a `taskloop` write elements of their own; the sum is made afterwards.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int square[32], sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(4) shared(square)
    for (int i = 0; i < 32; i++)
      square[i] = i * i;
    for (int i = 0; i < 32; i++)
      sum += square[i];
  }
  printf("%d\n", sum);
  return 0;
}
