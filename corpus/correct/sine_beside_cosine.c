// Sine and cosine of the same angle in a block behind a branch: the derivative of each is the other, which the program has computed already;
// in the other branch only one of them is computed.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

static double turn(const double *angle, const double *at, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double a = angle[i] * at[0];
    if (a > 0.0) {
      double s = sin(a), c = cos(a), e = exp(a);
      sum += at[1] * c - at[2] * s + cosh(a) * sinh(a) + e * e;
    } else {
      sum += sin(a) * cos(2.0 * a);
    }
  }
  return sum;
}

int main(void) {
  double angle[] = {0.3, -0.7, 1.9, -2.5, 0.01, 3.0}, dangle[6] = {0};
  double at[] = {0.8, 1.5, -0.25}, dat[3] = {0};
  __enzyme_autodiff((void *)turn, enzyme_dup, angle, dangle, enzyme_dup, at, dat, enzyme_const, 6);
  for (int i = 0; i < 6; i++) printf("%.12f\n", dangle[i]);
  for (int i = 0; i < 3; i++) printf("%.12f\n", dat[i]);
}
