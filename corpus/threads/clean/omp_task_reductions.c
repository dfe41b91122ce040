// Tasks that reduce a sum, a product and an extreme, of a group, of a loop of tasks and of a region.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int sum = 5, largest = 0, of_loop = 1, of_region = 2;
  long product = 1;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product) task_reduction(max : largest)
    for (int i = 1; i <= 6; i++)
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) in_reduction(max : largest) firstprivate(i)
    {
      sum += i;
      product *= i;
      if (i * (7 - i) > largest)
        largest = i * (7 - i);
    }
#pragma omp taskloop reduction(+ : of_loop) grainsize(2)
    for (int i = 0; i < 9; i++)
      of_loop += i;
  }
#pragma omp parallel num_threads(3) reduction(task, + : of_region)
#pragma omp single
  for (int i = 0; i < 7; i++)
#pragma omp task in_reduction(+ : of_region) firstprivate(i)
    of_region += i;
  printf("%d %ld %d %d %d\n", sum, product, largest, of_loop, of_region);
  return 0;
}
