// The temporary is declared outside of the loop, so all threads share it.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  double x[40], y[40], t = 0.5;
  for (int i = 0; i < 40; i++)
    x[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 40; i++) {
    t = x[i] * x[i]; //~ race
    y[i] = t + 1.0; //~ race
  }
  printf("%g %d\n", y[0], t >= 0);
  return 0;
}
