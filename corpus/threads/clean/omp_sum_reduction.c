// Sums, a product and a maximum in parallel loops with reduction clauses.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  long sum = 0, largest = -1;
  int values[64];
  for (int i = 0; i < 64; i++)
    values[i] = i * 7 % 64;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 64; i++)
    sum += values[i];
#pragma omp parallel for reduction(max : largest)
  for (int i = 0; i < 64; i++)
    if (values[i] > largest)
      largest = values[i];
  printf("%ld %ld\n", sum, largest);
  return 0;
}
