// Gram and Schmidt on three columns of which the third is a sum of the others: its orthogonal part is rounding, and is
// scaled up to length one.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 3

static double last(const double *a, const double *b) {
  double q[3][N], c[3][N];
  for (int i = 0; i < N; i++) {
    c[0][i] = a[i];
    c[1][i] = b[i];
    c[2][i] = a[i] + b[i];
  }
  for (int k = 0; k < 3; k++) {
    double n = 0.0;
    for (int i = 0; i < N; i++)
      q[k][i] = c[k][i];
    for (int j = 0; j < k; j++) {
      double r = 0.0;
      for (int i = 0; i < N; i++)
        r += q[j][i] * c[k][i];
      for (int i = 0; i < N; i++)
        q[k][i] -= r * q[j][i]; //~ convention
    }
    for (int i = 0; i < N; i++)
      n += q[k][i] * q[k][i];
    n = sqrt(n);
    for (int i = 0; i < N; i++)
      q[k][i] /= n;
  }
  return q[2][0] - q[2][1] + 3.0 * q[2][2];
}

int main(void) {
  double a[N] = {0.3, 1.1, -0.7}, b[N] = {0.9, 0.2, 0.6}, da[N] = {0}, db[N] = {0};
  __enzyme_autodiff((void *)last, enzyme_dup, a, da, enzyme_dup, b, db);
  printf("%d\n", last(a, b) == last(a, b));
  return 0;
}
