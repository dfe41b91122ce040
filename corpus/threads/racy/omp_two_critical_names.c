// Two critical sections of different names protect the same variable.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int count = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp critical(up)
    count += 2; //~ race
#pragma omp critical(down)
    count -= 1; //~ race
  }
  printf("%d\n", count > -100);
  return 0;
}
