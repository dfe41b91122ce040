// A thread writes to what another one has of its own, while that one executes tasks which do so as well.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

static int own;
#pragma omp threadprivate(own)
static int *theirs;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    own = 1;
#pragma omp master
    theirs = &own;
#pragma omp barrier
    for (int i = 0; i < 4; i++) {
#pragma omp task
      own += 2; //~ race
    }
    if (omp_get_thread_num() == 1) *theirs += 3; //~ race
  }
  printf("done\n");
  return 0;
}
