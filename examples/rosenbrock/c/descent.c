// A few steps of gradient descent, as a program.
#include "adj.h"
#include <stdio.h>

#include "rosenbrock.c"

int main(void) {
  double x[2] = {-1.2, 1.0};
  for (int step = 0; step < 5; step++) {
    double dx[2] = {0.0, 0.0};
    __enzyme_autodiff((void *)rosenbrock, enzyme_dup, x, dx, enzyme_const, 2);
    for (int i = 0; i < 2; i++)
      x[i] -= 0.001 * dx[i];
    printf("%.6f\n", rosenbrock(x, 2));
  }
  return 0;
}
