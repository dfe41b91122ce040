// std::complex<double>: a polynomial and its quotient at a complex point, norm and product; real and imaginary part are inputs.
#include "adj.h"
#include <complex>
#include <cstdio>

using C = std::complex<double>;

static double run(double re, double im) {
  C z(re, im), p(1.0, 0.0), q(0.0, 1.0);
  for (int i = 1; i <= 4; i++) {
    p = p * z + C(i, -0.5 * i);
    q = q * z - 1.0 / (double)i;
  }
  C r = p / q;
  r *= C(0.5, 0.25);
  r += std::conj(z) * z;
  return std::norm(r) + r.real() - 2.0 * r.imag();
}

struct Both {
  double re, im;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.7, enzyme_out, -0.4);
  std::printf("%.17g %.17g\n", g.re, g.im);
  return 0;
}
