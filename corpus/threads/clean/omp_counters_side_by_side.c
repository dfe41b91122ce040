// Counters of several threads lie in one cache line: slow, but each has its own.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

static long partial[4];

int main(void) {
  long sum = 0;
#pragma omp parallel num_threads(4)
  {
    int mine = omp_get_thread_num();
    for (int i = 0; i < 8; i++)
      partial[mine] += i + mine;
  }
  for (int i = 0; i < 4; i++)
    sum += partial[i];
  printf("%ld\n", sum);
  return 0;
}
