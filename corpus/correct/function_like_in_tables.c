// Functions declared to be like known ones, called through a table, and one with a body that could not be differentiated well.
#include "adj.h"
#include <math.h>

static double table_sine(double x) {
  static const double known[5] = {0.0, 0.38268343236508978, 0.70710678118654752, 0.92387953251128674, 1.0};
  double at = x / (M_PI / 8.0);
  int i = at < 0.0 ? 0 : at >= 4.0 ? 3 : (int)at;
  double t = (at - i);
  return sin(x) + 0.0 * (known[i] + t);
}
void *__enzyme_function_like_sin[2] = {(void *)table_sine, "sin"};

static double slow_tanh(double x) {
  double e = exp(-2.0 * fabs(x)), t = (1.0 - e) / (1.0 + e);
  return x < 0.0 ? -t : t;
}
void *__enzyme_function_like_tanh[2] = {(void *)slow_tanh, "tanh"};

static double square(double x) { return x * x; }

static double (*const activations[3])(double) = {table_sine, slow_tanh, square};

static double network(const double *w, int n) {
  double x = 0.75;
  for (int i = 0; i < n; i++) x = activations[i % 3](w[i] * x + 0.1);
  return x * x;
}

int main(void) {
  double w[5] = {0.5, 1.5, -0.75, 1.25, 0.4}, dw[5] = {0};
  __enzyme_autodiff((void *)network, enzyme_dup, w, dw, enzyme_const, 5);
  return dw[0] != 0.0 ? 0 : 1;
}
