// One of two updates takes the lock.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

static int mine;
#pragma omp threadprivate(mine)

int main(void) {
  omp_lock_t lock;
  int total = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
  {
    mine = omp_get_thread_num();
    omp_set_lock(&lock);
    total += mine; //~ race
    omp_unset_lock(&lock);
    total += 1; //~ race
  }
#pragma omp parallel num_threads(4) reduction(+ : total)
  total += mine;
  omp_destroy_lock(&lock);
  printf("%d\n", total > 0);
  return 0;
}
