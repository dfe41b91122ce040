// Values go to their places through an index that is a permutation: no two iterations have the same place.
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 24 };
static int place[N];
static double sorted[N];

int main(void) {
  for (int i = 0; i < N; i++)
    place[i] = i * 5 % N;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    sorted[place[i]] += 0.5 * i;
  printf("%g %g\n", sorted[0], sorted[5]);
  return 0;
}
