// A sum in a parallel loop without a reduction clause.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  long sum = 0, largest = -1;
  int values[64];
  for (int i = 0; i < 64; i++)
    values[i] = i * 7 % 64;
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    sum += values[i]; //~ race
#pragma omp parallel for reduction(max : largest)
  for (int i = 0; i < 64; i++)
    if (values[i] > largest)
      largest = values[i];
  printf("%d %ld\n", sum > 0, largest);
  return 0;
}
