// The value of the last iteration is wanted behind the loop: `lastprivate`. (`monotonic`, since LLVM's OpenMP library,
// where threads steal iterations, loses the value in one of some thousand runs.)
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  double x[16], last = 0;
  int at = -1;
  for (int i = 0; i < 16; i++)
    x[i] = i * 0.25;
#pragma omp parallel for lastprivate(last, at) schedule(monotonic : dynamic, 3)
  for (int i = 0; i < 16; i++) {
    last = x[i] * x[i];
    at = i;
  }
  printf("%g %d\n", last, at);
  return 0;
}
