// The value of the last iteration is wanted behind the loop; every iteration writes it.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  double x[16], last = 0;
  for (int i = 0; i < 16; i++)
    x[i] = i * 0.25;
#pragma omp parallel for
  for (int i = 0; i < 16; i++)
    last = x[i] * x[i]; //~ race
  printf("%g\n", last);
  return 0;
}
