// Update and read are atomic.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  int tickets = 0, most = 0;
#pragma omp parallel num_threads(4)
  {
    int seen;
#pragma omp atomic
    tickets += 1;
#pragma omp atomic read
    seen = tickets;
#pragma omp critical
    if (seen > most)
      most = seen;
  }
  printf("%d\n", most > 0 && tickets == 4);
  return 0;
}
