// A registered gradient of a running maximum: the value that is handed to it is computed in a cell which the next trip overwrites, and
// the reverse of the rule must see the value of its own trip.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double put_maximum(double *cell, double value) {
  double old = *cell;
  *cell = value > old ? value : old;
  return old;
}

struct kept {
  double won;
  double result;
};

static struct kept put_maximum_forward(double *cell, double *dcell, double value) {
  double old = *cell;
  (void)dcell;
  *cell = value > old ? value : old;
  return (struct kept){value > old, old};
}

// The result is what the cell held before, so its adjoint goes to the cell as well.
static double put_maximum_reverse(double *cell, double *dcell, double value, double adjoint, double won) {
  double d = *dcell;
  (void)cell;
  (void)value;
  *dcell = adjoint + (won != 0.0 ? 0.0 : d);
  return won != 0.0 ? d : 0.0;
}

void *__enzyme_register_gradient_put_maximum[] = {(void *)put_maximum, (void *)put_maximum_forward, (void *)put_maximum_reverse};

static double peaks(const double *x, double *highest, int n) {
  double work[2] = {1.0, 0.0}, sum = 0.0;
  for (int i = 0; i < n; i++) {
    work[0] = work[0] * 0.5 + sin(x[i]);
    work[1] = work[0] * work[0] + x[i];
    double before = put_maximum(&highest[i % 2], work[1] * work[0]);
    sum += before * work[1];
  }
  return sum + highest[0] * highest[1];
}

int main(void) {
  double x[7] = {0.3, 1.2, -0.4, 0.9, 1.9, 0.1, 1.4}, dx[7] = {0}, highest[2] = {0.1, 0.2}, dhighest[2] = {0};
  __enzyme_autodiff((void *)peaks, enzyme_dup, x, dx, enzyme_dup, highest, dhighest, enzyme_const, 7);
  for (int i = 0; i < 7; i++)
    printf("%.15g\n", dx[i]);
  printf("%.15g %.15g\n", dhighest[0], dhighest[1]);
  return 0;
}
