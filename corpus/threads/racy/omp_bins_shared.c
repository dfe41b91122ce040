// Each thread counts into a few bins that all of them share.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int bins[4] = {0, 0, 0, 0};
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 32; i++) {
    int bin = i * i % 7 % 4;
    bins[bin] = bins[bin] + 1; //~ race
  }
  printf("%d\n", bins[0] + bins[1] + bins[2] + bins[3]);
  return 0;
}
