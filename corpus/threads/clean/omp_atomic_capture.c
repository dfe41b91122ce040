// Threads take places in a list: the old count is captured in the same atomic operation.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int count = 0, sum = 0, list[32];
#pragma omp parallel for shared(count, list)
  for (int i = 0; i < 32; i++) {
    int place;
    if (i % 3 != 0)
      continue;
#pragma omp atomic capture
    place = count++;
    list[place] = i;
  }
  for (int i = 0; i < count; i++)
    sum += list[i];
  printf("%d %d\n", count, sum);
  return 0;
}
