// Each thread counts into bins of its own, which are added up: a reduction over a part of an array.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int bins[4] = {0, 0, 0, 0}, most = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : bins[ : 4]) reduction(max : most)
  for (int i = 0; i < 32; i++) {
    int bin = i * i % 7 % 4;
    bins[bin] = bins[bin] + 1;
    most = most > i * 3 % 17 ? most : i * 3 % 17;
  }
  printf("%d %d %d %d %d\n", bins[0], bins[1], bins[2], bins[3], most);
  return 0;
}
