// The master initialises, nobody waits for it.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int scale = 0, out[4] = {0, 0, 0, 0};
#pragma omp parallel num_threads(4)
  {
#pragma omp master
    scale = 3; //~ race
#pragma omp for
    for (int i = 0; i < 4; i++)
      out[i] = i * scale; //~ race
  }
  printf("%d\n", out[0]);
  return 0;
}
