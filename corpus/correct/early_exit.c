// Several exits from one loop, each with its own formula for the result.
#include "adj.h"
#include <stdio.h>

#define N 10

static double scan(const double *x, int n, double limit) {
  double sum = 0.0, product = 1.0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0.0)
      return sum * x[i];
    sum += x[i] * x[i];
    if (sum > limit)
      return sum / (1.0 + product);
    product *= 1.0 + 0.5 * x[i];
    if (product > 3.0 * limit)
      break;
  }
  return sum + product;
}

int main(void) {
  const double limits[] = {0.4, 2.0, 50.0};
  for (int k = 0; k < 3; k++)
    for (int sign = 0; sign < 2; sign++) {
      double x[N], dx[N];
      for (int i = 0; i < N; i++) {
        x[i] = 0.2 + 0.07 * i;
        dx[i] = 0.0;
      }
      if (sign)
        x[6] = -x[6];
      printf("%.17g\n", scan(x, N, limits[k]));
      double dl = __enzyme_autodiff((void *)scan, enzyme_dup, x, dx, enzyme_const, N, enzyme_out, limits[k]);
      printf("limit %.17g\n", dl);
      for (int i = 0; i < N; i++)
        printf("%.17g\n", dx[i]);
    }
  return 0;
}
