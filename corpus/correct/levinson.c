// Levinson-Durbin recursion: the coefficient array is updated from its own mirror image.
#include "adj.h"
#include <stdio.h>
#include <string.h>

#define ORDER 5

static double prediction_error(const double *r) {
  double a[ORDER + 1] = {1.0}, next[ORDER + 1];
  double error = r[0];
  for (int m = 1; m <= ORDER; m++) {
    double sum = r[m];
    for (int i = 1; i < m; i++)
      sum += a[i] * r[m - i];
    double reflection = -sum / error;
    memcpy(next, a, sizeof next);
    for (int i = 1; i < m; i++)
      next[i] = a[i] + reflection * a[m - i];
    next[m] = reflection;
    memcpy(a, next, sizeof a);
    error *= 1.0 - reflection * reflection;
  }
  return error + a[1] * a[ORDER];
}

int main(void) {
  double r[ORDER + 1] = {1.0, 0.7, 0.35, 0.2, 0.05, -0.1}, dr[ORDER + 1] = {0};
  printf("%.17g\n", prediction_error(r));
  __enzyme_autodiff((void *)prediction_error, enzyme_dup, r, dr);
  for (int i = 0; i <= ORDER; i++)
    printf("%.17g\n", dr[i]);
  return 0;
}
