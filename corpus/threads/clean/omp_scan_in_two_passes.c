// A prefix sum: blocks by threads, then their offsets, then the blocks again.
// adj-flags: -fopenmp
#include <stdio.h>

#define N 64
static int a[N];

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i % 5;
  int offsets[5] = {0, 0, 0, 0, 0};
#pragma omp parallel for
  for (int b = 0; b < 4; b++) {
    for (int i = b * N / 4 + 1; i < (b + 1) * N / 4; i++)
      a[i] += a[i - 1];
    offsets[b + 1] = a[(b + 1) * N / 4 - 1];
  }
  for (int b = 1; b < 5; b++)
    offsets[b] += offsets[b - 1];
#pragma omp parallel for collapse(2)
  for (int b = 0; b < 4; b++)
    for (int i = 0; i < N / 4; i++)
      a[b * N / 4 + i] += offsets[b];
  printf("%d\n", a[N - 1]);
  return 0;
}
