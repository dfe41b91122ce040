// Two loops become one that threads share out: both counters are private.
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 8 };
static int table[N][N];

int main(void) {
  int i, j, sum = 0;
#pragma omp parallel for collapse(2) schedule(dynamic, 5)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      table[i][j] = i * j;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      sum += table[i][j];
  printf("%d\n", sum);
  return 0;
}
