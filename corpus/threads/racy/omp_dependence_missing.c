// A task reads what another one writes; only one of the two declares it.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    x = 21; //~ race
#pragma omp task depend(out : y) shared(x, y)
    y = 2 * x; //~ race
  }
  printf("%d\n", y >= 0);
  return 0;
}
