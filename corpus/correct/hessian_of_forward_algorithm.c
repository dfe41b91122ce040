// Hessian-vector products of the forward algorithm of a hidden Markov model in logarithms: its sums remember which of
// their terms were the largest, beside the numbers.
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { STATES = 3, STEPS = 5 };

static double log_sum_exp(const double *a, int n) {
  double most = a[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > most) most = a[i];
  for (int i = 0; i < n; i++) sum += exp(a[i] - most);
  return most + log(sum);
}

static double evidence(const double *x) {
  double alpha[2][STATES], terms[STATES];
  for (int k = 0; k < STATES; k++) alpha[0][k] = x[k];
  for (int t = 1; t < STEPS; t++)
    for (int k = 0; k < STATES; k++) {
      for (int j = 0; j < STATES; j++) terms[j] = alpha[(t - 1) & 1][j] + (j == k ? log(0.8) : log(0.1));
      alpha[t & 1][k] = log_sum_exp(terms, STATES) - x[k] * x[k] * t;
    }
  return log_sum_exp(alpha[(STEPS - 1) & 1], STATES);
}

static void gradient(const double *x, double *g) {
  __enzyme_autodiff((void *)evidence, x, g);
}

int main(void) {
  const double h = 1e-5;
  double x[STATES] = {0.1, 0.2, 0.3}, v[STATES] = {1, -2, 0.5}, g[STATES] = {0}, product[STATES] = {0};
  __enzyme_fwddiff((void *)gradient, x, v, g, product);
  double up[STATES], down[STATES], above[STATES] = {0}, below[STATES] = {0};
  for (int k = 0; k < STATES; k++) up[k] = x[k] + h * v[k], down[k] = x[k] - h * v[k];
  gradient(up, above);
  gradient(down, below);
  for (int k = 0; k < STATES; k++)
    if (!(fabs((above[k] - below[k]) / (2 * h) - product[k]) < 1e-7)) {
      printf("component %d: %.12g, differences %.12g\n", k, product[k], (above[k] - below[k]) / (2 * h));
      return 1;
    }
  return 0;
}
