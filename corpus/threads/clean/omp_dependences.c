// Tasks ordered by their dependences.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    x = 21;
#pragma omp task depend(in : x) depend(out : y) shared(x, y)
    y = 2 * x;
  }
  printf("%d\n", y);
  return 0;
}
