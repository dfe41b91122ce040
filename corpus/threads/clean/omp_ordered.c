// Iterations run in parallel; their ordered regions run in order.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int values[24], most = -1, order[24], n = 0;
  for (int i = 0; i < 24; i++)
    values[i] = i * 11 % 24;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < 24; i++) {
    int value = values[i] * 2;
#pragma omp ordered
    {
      order[n++] = i;
      most = value;
    }
  }
  printf("%d\n", n * 1000 + order[7] * 100 + most);
  return 0;
}
