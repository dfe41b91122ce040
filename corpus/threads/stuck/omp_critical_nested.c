// A critical section inside another one of the same name, through a function.
// adj-flags: -fopenmp
#include <stdio.h>

static int total;

static void add(int n) {
#pragma omp critical //~ deadlock
  total += n;
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    add(1);
  }
  printf("%d\n", total);
  return 0;
}
