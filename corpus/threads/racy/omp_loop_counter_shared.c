// The counter of the inner loop is declared outside of the region and shared.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int sums[6] = {0, 0, 0, 0, 0, 0}, j = 0;
#pragma omp parallel for
  for (int i = 0; i < 6; i++)
    for (j = 0; j < 5; j++) //~ race
      sums[i] += j; //~ race
  printf("%d %d\n", sums[0] >= 0, j >= 0);
  return 0;
}
