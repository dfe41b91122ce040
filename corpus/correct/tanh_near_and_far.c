// The slope of tanh is 1 - tanh² where that keeps its digits and 1/cosh² where tanh is close to 1: operands on both sides of the change, far out,
// and at zero, in double and in float.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

static double squash(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += (i + 1) * tanh(x[i]);
  return sum;
}

static double squash_narrow(const float *x, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++) sum += tanhf(x[i]);
  return sum;
}

int main(void) {
  double x[] = {0.0, 0.25, -1.2, 1.7, 1.7083, 1.7085, -1.75, 5.0, -11.0, 17.5, -300.0}, dx[11] = {0};
  float y[] = {0.0f, -0.5f, 1.7f, 1.72f, -4.5f, 9.0f}, dy[6] = {0};
  __enzyme_autodiff((void *)squash, enzyme_dup, x, dx, enzyme_const, 11);
  __enzyme_autodiff((void *)squash_narrow, enzyme_dup, y, dy, enzyme_const, 6);
  for (int i = 0; i < 11; i++) printf("%.12e\n", dx[i]);
  for (int i = 0; i < 6; i++) printf("%.5e\n", dy[i]);
}
