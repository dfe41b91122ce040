// What exponentials make of a pole is flat there, whatever its order; the division by zero is a convention.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double bump(double r) {
  return exp(-1 / (r * r)) * (1 + r); //~ convention
}

double __enzyme_autodiff_bump(void *, double);
double __enzyme_fwddiff_bump(void *, double, double);

int main(void) {
  printf("%g %g\n", __enzyme_autodiff_bump((void *)bump, 0.0), __enzyme_fwddiff_bump((void *)bump, 0.0, 1.0));
  return 0;
}
