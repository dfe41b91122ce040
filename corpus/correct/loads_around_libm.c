// The same number is read before and after calls of libm, between which nothing is written but errno; and again after a write to what may be the
// same place, where it is another.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

static double gates(const double *in, double *state, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double forget = 1.0 / (1.0 + exp(-in[i] * state[0]));
    double gate = 1.0 / (1.0 + exp(-in[i] * state[1]));
    state[i % 3] = state[i % 3] * forget + gate * tanh(in[i]);
    sum += log(2.0 + in[i] * in[i]) * state[0] / in[i];
  }
  return sum;
}

int main(void) {
  double in[] = {0.5, -0.75, 1.25, 2.25, -1.5}, din[5] = {0}, state[] = {1.0, 0.5, -0.5}, dstate[3] = {0};
  __enzyme_autodiff((void *)gates, enzyme_dup, in, din, enzyme_dup, state, dstate, enzyme_const, 5);
  // The input and the state are one array.
  double both[] = {0.5, -0.75, 1.25, 2.25, -1.5}, dboth[5] = {0};
  __enzyme_autodiff((void *)gates, enzyme_dup, both, dboth, enzyme_dup, both, dboth, enzyme_const, 5);
  for (int i = 0; i < 5; i++) printf("%.12f %.12f\n", din[i], dboth[i]);
  for (int i = 0; i < 3; i++) printf("%.12f\n", dstate[i]);
}
