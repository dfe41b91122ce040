// Different values fall into the same bin.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int bins[4] = {0, 0, 0, 0}, copies[4] = {0, 0, 0, 0};
#pragma omp parallel for
  for (int i = 0; i < 60; i++) {
    int bin = i * i % 4;
    bins[bin]++; //~ race
  }
#pragma omp parallel for reduction(+ : copies[:4])
  for (int i = 0; i < 60; i++)
    copies[i * i % 4]++;
  printf("%d %d\n", bins[0] > 0, copies[1]);
  return 0;
}
