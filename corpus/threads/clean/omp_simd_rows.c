// A recurrence whose distance suits vectors, inside rows that threads share out.
// adj-flags: -fopenmp
#include <stdio.h>

enum { ROWS = 6, N = 32 };
static double y[ROWS][N];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int r = 0; r < ROWS; r++) {
    for (int i = 0; i < N; i++)
      y[r][i] = i + r;
#pragma omp simd safelen(4)
    for (int i = 4; i < N; i++)
      y[r][i] = 0.5 * y[r][i - 4] + 1.0;
  }
  for (int r = 0; r < ROWS; r++)
    sum += y[r][N - 1];
  printf("%.15g\n", sum);
  return 0;
}
