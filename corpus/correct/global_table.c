// Constant global tables and a static local array used inside the differentiated function.
#include "adj.h"
#include <stdio.h>

static const double nodes[5] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                0.9061798459386640};
static const double weights[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                  0.4786286704993665, 0.2369268850561891};

static double gauss_legendre(double a, double b, double k) {
  static const int sign[5] = {1, -1, 1, -1, 1};
  double half = 0.5 * (b - a), centre = 0.5 * (a + b), sum = 0.0;
  for (int i = 0; i < 5; i++) {
    double x = centre + half * nodes[i];
    sum += weights[i] * (x * x * k + sign[i] * k * k / (2.0 + x));
  }
  return half * sum;
}

int main(void) {
  double ga = __enzyme_autodiff((void *)gauss_legendre, enzyme_out, 0.2, enzyme_const, 1.7, enzyme_const, 0.8);
  double gb = __enzyme_autodiff((void *)gauss_legendre, enzyme_const, 0.2, enzyme_out, 1.7, enzyme_const, 0.8);
  double gk = __enzyme_autodiff((void *)gauss_legendre, enzyme_const, 0.2, enzyme_const, 1.7, enzyme_out, 0.8);
  printf("%.17g\n%.17g %.17g %.17g\n", gauss_legendre(0.2, 1.7, 0.8), ga, gb, gk);
  return 0;
}
