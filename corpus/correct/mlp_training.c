// A two-layer perceptron's loss, and a few steps of gradient descent driven by its gradient.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define IN 2
#define HIDDEN 3

struct network {
  double w1[HIDDEN][IN];
  double b1[HIDDEN];
  double w2[HIDDEN];
  double b2;
};

static double forward(const struct network *n, const double *x) {
  double out = n->b2;
  for (int h = 0; h < HIDDEN; h++) {
    double a = n->b1[h];
    for (int i = 0; i < IN; i++)
      a += n->w1[h][i] * x[i];
    out += n->w2[h] * tanh(a);
  }
  return out;
}

static void loss(const struct network *n, const double *x, const double *y, int samples, double *out) {
  double sum = 0.0;
  for (int s = 0; s < samples; s++) {
    double error = forward(n, x + s * IN) - y[s];
    sum += error * error;
  }
  *out = sum / samples;
}

int main(void) {
  const double x[8] = {0, 0, 0, 1, 1, 0, 1, 1}, y[4] = {0, 1, 1, 0};
  struct network n = {{{0.5, -0.4}, {0.9, 0.3}, {-0.2, 0.7}}, {0.1, -0.3, 0.2}, {0.6, -0.8, 0.4}, 0.05};
  for (int step = 0; step < 4; step++) {
    struct network d = {{{0, 0}, {0, 0}, {0, 0}}, {0, 0, 0}, {0, 0, 0}, 0};
    double value = 0.0, seed = 1.0;
    __enzyme_autodiff((void *)loss, enzyme_dup, &n, &d, enzyme_const, x, enzyme_const, y, enzyme_const, 4,
                      enzyme_dup, &value, &seed);
    for (int h = 0; h < HIDDEN; h++) {
      for (int i = 0; i < IN; i++)
        n.w1[h][i] -= 0.5 * d.w1[h][i];
      n.b1[h] -= 0.5 * d.b1[h];
      n.w2[h] -= 0.5 * d.w2[h];
    }
    n.b2 -= 0.5 * d.b2;
    printf("%.17g %.17g\n", value, d.b2);
  }
  return 0;
}
