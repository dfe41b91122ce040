// A function with a work array of each thread's own (`threadprivate`) is called in a parallel loop.
// adj-flags: -fopenmp
#include <stdio.h>

static int scratch[3];
#pragma omp threadprivate(scratch)

static int middle(int a, int b, int c) {
  scratch[0] = a;
  scratch[1] = b;
  scratch[2] = c;
  if (scratch[0] > scratch[1]) {
    int t = scratch[0];
    scratch[0] = scratch[1];
    scratch[1] = t;
  }
  return scratch[2] < scratch[0] ? scratch[0] : scratch[2] < scratch[1] ? scratch[2] : scratch[1];
}

int main(void) {
  int total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 24; i++)
    total += middle(i * 7 % 5, i * 3 % 11, i % 4);
  printf("%d\n", total);
  return 0;
}
