// Duff's device: a switch that jumps into a loop, so that the loop has several entries.
#include "adj.h"
#include <stdio.h>

static double unrolled_sum(const double *x, int n) {
  double sum = 0.0;
  int rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      sum = sum * 0.9 + *x++;
    case 3:
      sum += *x * *x, x++;
    case 2:
      sum += *x++ * sum;
    case 1:
      sum -= *x++;
    } while (--rounds > 0);
  }
  return sum;
}

int main(void) {
  for (int n = 3; n < 10; n++) {
    double x[9], dx[9] = {0};
    for (int i = 0; i < n; i++)
      x[i] = 0.4 + 0.1 * i;
    __enzyme_autodiff((void *)unrolled_sum, enzyme_dup, x, dx, enzyme_const, n);
    for (int i = 0; i < n; i++)
      printf("%.17g ", dx[i]);
    printf("\n");
  }
  return 0;
}
