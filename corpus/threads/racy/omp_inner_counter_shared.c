// The counter of the inner loop is declared outside of the region.
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 8 };
static int table[N][N];

int main(void) {
  int i, j;
#pragma omp parallel for
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) //~ race
      if (j < N) //~ race
        table[i][j % N] = i * j; //~ race
  printf("%d\n", table[0][0]);
  return 0;
}
