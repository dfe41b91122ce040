// A recurrence whose distance suits vectors is spread over threads too.
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 64 };
static double y[N];

int main(void) {
  for (int i = 0; i < N; i++)
    y[i] = i;
#pragma omp parallel for simd safelen(4)
  for (int i = 4; i < N; i++)
    y[i] = 0.5 * y[i - 4] + 1.0; //~ race
  printf("%g\n", y[N - 1]);
  return 0;
}
