/* Forces on a chain of springs: the negative gradient of its energy. */
#include "adj.h"
#include "energy.h"

#include <math.h>
#include <stdio.h>

enum { N = 5 };

int main(void) {
  double x[N] = {0.5, 1.4, 2.6, 3.6, 4.9}, gradient[N] = {0.0};
  const double stiffness = 3.0;
  __enzyme_autodiff((void *)energy, enzyme_dup, x, gradient, enzyme_const, N, enzyme_const, stiffness);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    double left = i > 0 ? x[i] - x[i - 1] - 1.0 : 0.0, right = i + 1 < N ? x[i + 1] - x[i] - 1.0 : 0.0;
    double expected = stiffness * (left - right) + (i == 0 ? tanh(x[0]) : 0.0);
    wrong += !(fabs(gradient[i] - expected) < 1e-12);
    printf("force on point %d: %+.6f\n", i, -gradient[i]);
  }
  return wrong;
}
