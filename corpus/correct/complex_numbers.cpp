// std::complex<double>: arithmetic, abs, norm, conj, polar; a small discrete Fourier transform.
#include "adj.h"
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using C = std::complex<double>;

static double spectrum(const double *x, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) {
    C acc = 0.0;
    for (int i = 0; i < n; i++)
      acc += x[i] * std::polar(1.0, -2.0 * 3.141592653589793 * k * i / n);
    sum += std::norm(acc) * (k + 1);
  }
  C z(x[0], x[1]), w(x[2], 1.0 + x[3]);
  C q = (z * w + std::conj(z)) * std::polar(2.0, x[1]) - w;
  q /= 1.5 + x[2];
  return sum + std::abs(q) + q.real() * q.imag() + std::arg(w);
}

int main() {
  double x[4] = {0.5, -1.5, 2.0, 0.25}, dx[4] = {0};
  __enzyme_autodiff<double>((void *)spectrum, enzyme_dup, x, dx, enzyme_const, 4);
  for (double d : dx)
    std::printf("%.17g\n", d);
  return 0;
}
