// Pairs of an array are updated in place, as the butterflies of a Fourier transform are. Some pairs are twice the same element: what is added to
// one adjoint is then part of what is read of the other.
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

static void mix(double *x, const int *first, const int *second, int n) {
  for (int k = 0; k < n; k++) {
    int i = first[k], j = second[k];
    double re = 0.5 * x[2 * j] - 0.25 * x[2 * j + 1];
    double im = 0.5 * x[2 * j + 1] + 0.25 * x[2 * j];
    x[2 * j] = x[2 * i] - re;
    x[2 * j + 1] = x[2 * i + 1] - im * x[2 * i];
    x[2 * i] += re;
    x[2 * i + 1] += im;
  }
}

int main(void) {
  double x[] = {0.5, -1.25, 2.0, 0.75, -0.5, 1.5, 3.0, -2.0}, dx[] = {1.0, 0.5, -1.0, 2.0, 0.25, -0.75, 1.5, 1.0};
  int first[] = {0, 1, 2, 3, 0, 2}, second[] = {1, 1, 3, 0, 0, 1};
  __enzyme_autodiff((void *)mix, enzyme_dup, x, dx, enzyme_const, first, enzyme_const, second, enzyme_const, 6);
  for (int i = 0; i < 8; i++) printf("%.12f %.12f\n", x[i], dx[i]);
}
