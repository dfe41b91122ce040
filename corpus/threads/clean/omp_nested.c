// Regions inside each other, ancestors, a region that its clause makes serial, tasks that are not deferred.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

int main(void) {
  int sum = 0, threads = 0, count = 0, last = -1, seen = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += omp_get_ancestor_thread_num(1) * 10 + omp_get_thread_num() + omp_get_level();
  }
#pragma omp parallel if (0)
  threads = omp_get_num_threads();
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    int x = 1;
#pragma omp task if (0) shared(x)
    x = 5;
    seen += x;
#pragma omp task final(1) shared(x)
    x = 6;
#pragma omp taskwait
    seen += x;
  }
#pragma omp parallel for reduction(+ : count) schedule(static, 1) collapse(2)
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      count += i * j;
#pragma omp parallel for lastprivate(last) schedule(static, 2)
  for (int i = 0; i < 33; i++)
    last = i;
  printf("%d %d %d %d %d\n", sum, threads, seen, count, last);
  return 0;
}
