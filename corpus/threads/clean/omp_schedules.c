// One loop under every schedule, and a copyprivate value.
// adj-flags: -fopenmp
#include <omp.h>
#include <stdio.h>

int main(void) {
  long a[50];
  int bad = 0;
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < 50; i++)
    a[i] = i;
#pragma omp parallel for schedule(guided)
  for (int i = 49; i >= 0; i--)
    a[i] += i;
  omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel for schedule(runtime)
  for (long i = 0; i < 50; i += 3)
    a[i] *= 2;
#pragma omp parallel num_threads(3) reduction(+ : bad)
  {
    int value;
#pragma omp single copyprivate(value)
    value = 17;
#pragma omp for schedule(auto) nowait
    for (unsigned i = 0; i < 50; i++)
      bad += a[i] != (i % 3 ? 2L * i : 4L * i);
    bad += value != 17;
  }
  printf("%ld %d\n", a[48], bad);
  return 0;
}
