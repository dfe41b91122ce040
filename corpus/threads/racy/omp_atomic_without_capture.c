// Threads take places in a list: the count is atomic, but it is read again afterwards.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int count = 0, list[32];
#pragma omp parallel for shared(count, list)
  for (int i = 0; i < 32; i++) {
    if (i % 3 != 0)
      continue;
#pragma omp atomic
    count++; //~ race
    list[count - 1] = i; //~ race
  }
  printf("%d\n", count);
  return 0;
}
