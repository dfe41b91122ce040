// Edit distance in a variable-length array, where two of the three moves cost the same whatever the numbers are: that tie is
// no kink.
#include "adj.h"
#include <stdio.h>

static double edit_cost(int n, const double *a, const double *b) {
  double best[n + 1][n + 1];
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++) {
      if (i == 0 || j == 0) {
        best[i][j] = 0.5 * (i + j);
        continue;
      }
      double d = a[i - 1] - b[j - 1], keep = best[i - 1][j - 1] + d * d;
      double skip_a = best[i - 1][j] + 0.5 + 0.01 * i * j, skip_b = best[i][j - 1] + 0.55;
      double m = keep < skip_a ? keep : skip_a;
      best[i][j] = m < skip_b ? m : skip_b;
    }
  double result = best[n][n];
  for (int i = 1; i < n; i++) {
    double scratch[i];
    for (int j = 0; j < i; j++)
      scratch[j] = best[i][j] * a[j];
    result += 0.01 * scratch[i - 1] * scratch[0];
  }
  return result;
}

int main(void) {
  double a[5] = {0.1, 0.9, 1.7, 0.4, 1.25}, b[5] = {0.85, 1.6, 0.45, 1.1, 2.0}, da[5] = {0}, db[5] = {0};
  printf("%.17g\n", edit_cost(5, a, b));
  __enzyme_autodiff((void *)edit_cost, enzyme_const, 5, enzyme_dup, a, da, enzyme_dup, b, db);
  for (int i = 0; i < 5; i++)
    printf("%.17g %.17g\n", da[i], db[i]);
  return 0;
}
