// Variable length arrays of two dimensions, as parameters and on the stack.
#include "adj.h"

static void multiply(int n, int m, const double a[n][m], const double b[m][n], double c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0.0;
      for (int k = 0; k < m; k++) c[i][j] += a[i][k] * b[k][j];
    }
}

static double trace_of_square(int n, int m, const double *x) {
  double a[n][m], b[m][n], c[n][n], d[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] = x[i] * x[j] + 0.1 * i;
      b[j][i] = x[j] - 0.5 * x[i];
    }
  multiply(n, m, a, b, c);
  multiply(n, n, c, c, d);
  double t = 0.0;
  for (int i = 0; i < n; i++) t += d[i][i];
  return t;
}

int main(void) {
  double x[4] = {0.5, -1.25, 0.75, 1.5}, dx[4] = {0};
  __enzyme_autodiff((void *)trace_of_square, enzyme_const, 3, enzyme_const, 4, enzyme_dup, x, dx);
  return dx[0] != 0.0 ? 0 : 1;
}
