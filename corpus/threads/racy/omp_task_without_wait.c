// The results of tasks are added before the tasks are waited for.
// adj-flags: -fopenmp
#include <stdio.h>

static int square(int n) { return n * n; }

int main(void) {
  int a = 0, b = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a)
    a = square(3); //~ race
#pragma omp task shared(b)
    b = square(4); //~ race
    sum = a + b; //~ race
  }
  printf("%d\n", sum >= 0);
  return 0;
}
