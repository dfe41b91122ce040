// The update is atomic, the read in the same region is not.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int tickets = 0, most = 0;
#pragma omp parallel num_threads(4)
  {
    int seen;
#pragma omp atomic
    tickets += 1; //~ race
    seen = tickets; //~ race
#pragma omp critical
    if (seen > most)
      most = seen;
  }
  printf("%d\n", most > 0 && tickets == 4);
  return 0;
}
