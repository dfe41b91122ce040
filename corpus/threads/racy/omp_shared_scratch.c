// A function with a work array outside of it is called in a parallel loop.
// adj-flags: -fopenmp
#include <stdio.h>

int scratch[3];

static int middle(int a, int b, int c) {
  scratch[0] = a; //~ race
  scratch[1] = b; //~ race
  scratch[2] = c; //~ race
  if (scratch[0] > scratch[1]) { //~ race
    int t = scratch[0]; //~ race
    scratch[0] = scratch[1]; //~ race
    scratch[1] = t; //~ race
  }
  return scratch[2] < scratch[0] ? scratch[0] : scratch[2] < scratch[1] ? scratch[2] : scratch[1]; //~ race
}

int main(void) {
  int total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 24; i++)
    total += middle(i * 7 % 5, i * 3 % 11, i % 4);
  printf("%d\n", total > 0);
  return 0;
}
