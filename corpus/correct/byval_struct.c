// A large structure passed by value (byval in memory) and changed by the callee only.
#include "adj.h"
#include <stdio.h>

struct model {
  double weight[4];
  double bias;
  int n;
};

static double predict(struct model m, const double *x) {
  double sum = m.bias;
  for (int i = 0; i < m.n; i++) {
    m.weight[i] *= 1.0 + 0.1 * m.bias;
    sum += m.weight[i] * x[i];
  }
  m.bias = sum;
  return m.bias * sum;
}

static double loss(const struct model *m, const double *x) {
  double first = predict(*m, x);
  double second = predict(*m, x + 1);
  return first * second + m->bias;
}

int main(void) {
  struct model m = {{0.5, -0.2, 0.7, 0.3}, 0.4, 4}, dm = {{0, 0, 0, 0}, 0, 4};
  double x[5] = {1.0, 2.0, -0.5, 0.25, 1.5}, dx[5] = {0};
  printf("%.17g\n", loss(&m, x));
  __enzyme_autodiff((void *)loss, enzyme_dup, &m, &dm, enzyme_dup, x, dx);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", dm.weight[i]);
  printf("%.17g\n", dm.bias);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
