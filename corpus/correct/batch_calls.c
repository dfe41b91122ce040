// `__enzyme_batch`: a function on several sets of arguments, inside of a function that is differentiated, and outside.
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_width, enzyme_vector, enzyme_scalar;

struct four {
  double of[4];
};
struct two {
  double of[2];
};
struct four __enzyme_batch_four(void *, ...);
struct two __enzyme_batch_two(void *, ...);

static double kernel(double r, double width, int power) {
  double s = exp(-r * r / width);
  for (int i = 1; i < power; i++)
    s *= r;
  return s;
}

static double energy(const double *r, double width) {
  struct four e = __enzyme_batch_four((void *)kernel, enzyme_width, 4, enzyme_vector, r[0], r[1], r[2], r[3], enzyme_scalar,
                                      width, enzyme_scalar, 2);
  return e.of[0] * e.of[1] + e.of[2] * e.of[3];
}

int main(void) {
  double r[4] = {0.4, 1.1, -0.6, 0.9}, dr[4] = {0};
  double dwidth = __enzyme_autodiff((void *)energy, enzyme_dup, r, dr, enzyme_out, 1.5);
  for (int i = 0; i < 4; i++)
    printf("%.15g\n", dr[i]);
  struct two e = __enzyme_batch_two((void *)kernel, enzyme_width, 2, enzyme_vector, 0.5, 0.25, enzyme_vector, 1.0, 2.0,
                                    enzyme_vector, 1, 3);
  printf("%.15g %.15g %.15g\n", dwidth, e.of[0], e.of[1]);
  return e.of[0] != kernel(0.5, 1.0, 1) || e.of[1] != kernel(0.25, 2.0, 3);
}
