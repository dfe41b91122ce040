// The maximum is written in a critical section; the test before it is outside.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int values[24], most = -1, order[24], n = 0;
  for (int i = 0; i < 24; i++)
    values[i] = i * 11 % 24;
#pragma omp parallel for
  for (int i = 0; i < 24; i++)
    if (values[i] > most) //~ race
#pragma omp critical
      most = values[i]; //~ race
  (void)order;
  (void)n;
  printf("%d\n", most >= 0);
  return 0;
}
