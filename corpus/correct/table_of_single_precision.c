// A function that computes in single precision is called through a table alone: what the products of its adjoint lose are roundings that the
// program asks for.
#include "adj.h"

static double coarse(const double *x) {
  volatile float gain = 0.8928f, share = 0.7046f;
  float product = gain * share;
  return x[0] * product;
}

static double fine(const double *x) { return x[0] * 0.795; }

static double (*const model[2])(const double *) = {coarse, fine};

static double predicted(const double *x, int which) { return model[which](x); }

int main(void) {
  double x[1] = {0.625}, dx[1] = {0.0}, dy[1] = {0.0};
  __enzyme_autodiff((void *)predicted, enzyme_dup, x, dx, enzyme_const, 0);
  __enzyme_autodiff((void *)predicted, enzyme_dup, x, dy, enzyme_const, 1);
  return dx[0] > 0.629 && dx[0] < 0.6291 && dy[0] == 0.795 ? 0 : 1;
}
