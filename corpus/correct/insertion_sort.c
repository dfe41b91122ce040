// Insertion sort of a copy, then a weighted sum of order statistics.
#include "adj.h"
#include <stdio.h>

#define N 9

static void sort(double *a, int n) {
  for (int i = 1; i < n; i++) {
    double key = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}

static double order_statistic(const double *x, int n) {
  double copy[N];
  for (int i = 0; i < n; i++)
    copy[i] = x[i] * x[i];
  sort(copy, n);
  double result = 0.0;
  for (int i = 0; i < n; i++)
    result += (i + 1) * copy[i];
  return result + copy[0] * copy[n - 1];
}

int main(void) {
  double x[N] = {0.9, -0.2, 0.55, 1.3, -0.7, 0.35, -1.1, 0.1, 0.8}, dx[N] = {0};
  printf("%.17g\n", order_statistic(x, N));
  __enzyme_autodiff((void *)order_statistic, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
