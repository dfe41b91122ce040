// Each thread asks for a team of another size, all at the same time: what one asks for is for its own next region.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

int main(void) {
  int members[4] = {0};
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
  {
    int mine = omp_get_thread_num();
    for (int round = 0; round < 6; round++) {
      int size = 0;
#pragma omp parallel num_threads(1 + mine) reduction(+ : size)
      size += 1;
      members[mine] += size;
    }
  }
  printf("%d %d %d %d\n", members[0], members[1], members[2], members[3]);
  return 0;
}
