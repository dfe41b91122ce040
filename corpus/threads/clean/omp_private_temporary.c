// The temporary is private; first and last values are passed in and out.
// adj-flags: -fopenmp
#include <stdio.h>

int main(void) {
  double x[40], y[40], t = 0.5;
  for (int i = 0; i < 40; i++)
    x[i] = i;
#pragma omp parallel for firstprivate(x) lastprivate(t)
  for (int i = 0; i < 40; i++) {
    t = x[i] * x[i];
    y[i] = t + 1.0;
  }
  printf("%g %d\n", y[0], t >= 0);
  return 0;
}
