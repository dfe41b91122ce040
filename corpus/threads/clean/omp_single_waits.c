// One thread initialises, all others wait for it at the end of the single region.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int scale = 0, out[4] = {0, 0, 0, 0};
#pragma omp parallel num_threads(4)
  {
#pragma omp single
    scale = 3;
#pragma omp for
    for (int i = 0; i < 4; i++)
      out[i] = i * scale;
  }
  printf("%d\n", out[1] + out[2] + out[3]);
  return 0;
}
