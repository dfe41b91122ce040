// Two critical sections of the same name protect the same variable.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int count = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp critical(up)
    count += 2;
#pragma omp critical(up)
    count -= 1;
  }
  printf("%d\n", count);
  return 0;
}
