// Scratch for two threads; a third one shares the first's.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

static long partial[2];

int main(void) {
#pragma omp parallel num_threads(3)
  {
    int mine = omp_get_thread_num() % 2;
    for (int i = 0; i < 8; i++)
      partial[mine] += i; //~ race
  }
  printf("%d\n", partial[1] > 0);
  return 0;
}
