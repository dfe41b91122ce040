// Complex: the real part of exp(z) summed over an interleaved array; the sign of each imaginary
// component is that of the conjugate. Evidence: in every pair of cells the first component is right
// and the second is the negative of the right one.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double real_exponentials(const double *z, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += exp(z[2 * i]) * cos(z[2 * i + 1]);
  return sum;
}

static void dreal_exponentials(const double *z, double *dz, int n, double seed) {
  for (int i = 0; i < n; i++) {
    double e = seed * exp(z[2 * i]);
    dz[2 * i] += e * cos(z[2 * i + 1]);
    dz[2 * i + 1] += e * sin(z[2 * i + 1]); //~ wrong: complex
  }
}

int main(void) {
  double z[6] = {0.2, 0.7, -0.5, 1.9, 1.1, -0.6}, dz[6] = {0};
  __adj_check_gradient((void *)real_exponentials, (void *)dreal_exponentials, enzyme_dup, z, dz, enzyme_const, 3, 1.0);
  printf("%.15g\n", real_exponentials(z, 3));
  return 0;
}
