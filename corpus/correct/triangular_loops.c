// Inner loops whose lengths are differences of counters and bounds of the outer ones, also none at all, and one that is left into the next
// iteration of the loop around it: how often each ran is told by what it ran to.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

static double triangle(const double *x, double *work, int n, int width) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      work[j] = work[j] * x[i] + sin(x[j]);
      sum += work[j] * work[i];
    }
    for (int j = i; j > i - width; j--) work[i] *= 1.0 + 0.125 * x[i];
    int k = 0;
    do {
      work[k] = work[k] * 0.75 + x[k] * x[i];
      k++;
    } while (k <= n - i - 2);
  }
  for (int i = 0; i < n; i++) sum += work[i];
  return sum;
}

int main(void) {
  double x[] = {0.5, -0.75, 1.25, 0.25, -1.5}, dx[5] = {0}, work[] = {1.0, 0.5, -0.5, 2.0, 0.75}, dwork[5] = {0};
  for (int width = -1; width < 3; width++) {
    __enzyme_autodiff((void *)triangle, enzyme_dup, x, dx, enzyme_dup, work, dwork, enzyme_const, 5, enzyme_const, width);
    for (int i = 0; i < 5; i++) printf("%.10f %.10f\n", dx[i], dwork[i]);
  }
}
