// Units of neural networks with an exponential on one side (ELU, SELU, CELU, softplus), at arguments where the side that is not taken
// overflows: what was not taken has no part in the gradient.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double elu(double x, double a) { return x > 0.0 ? x : a * (exp(x) - 1.0); }
static double selu(double x) {
  double negative = 1.6732632423543772 * expm1(x);
  return 1.0507009873554805 * (x > 0.0 ? x : negative);
}
static double celu(double x, double a) {
  double negative = a * (exp(x / a) - 1.0), positive = x;
  return x < 0.0 ? negative : positive;
}
static double softplus(double x) { return x > 30.0 ? x : log1p(exp(x)); }
static float elu_single(float x) {
  float e = expf(x) - 1.0f;
  return x > 0.0f ? x : e;
}

static double layer(const double *x, const float *y, double a, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (elu(x[i], a) + selu(x[i]) * 0.5) * 1e-3 + celu(x[i], a) * 1e-2 + softplus(x[i]) + elu_single(y[i]);
  return sum;
}

int main(void) {
  double x[6] = {1000.0, -1.5, 0.25, 709.0, -0.01, 5000.0}, dx[6] = {0};
  float y[6] = {200.0f, -2.0f, 0.5f, 88.0f, -30.0f, 1e6f}, dy[6] = {0};
  double da = __enzyme_autodiff((void *)layer, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_out, 0.5, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%.12g %.6g\n", dx[i], dy[i]);
  printf("%.12g\n", da);
  return 0;
}
