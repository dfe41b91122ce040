// Gaussian mixture log-likelihood: triangular transforms, log-sum-exp over components.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define K 3
#define D 2
#define N 5

static double gmm(const double *alpha, const double *mean, const double *icf, const double *x) {
  double total = 0.0;
  for (int i = 0; i < N; i++) {
    double term[K], top = -1e300;
    for (int k = 0; k < K; k++) {
      const double *c = icf + 3 * k;
      double d0 = x[i * D] - mean[k * D], d1 = x[i * D + 1] - mean[k * D + 1];
      double q0 = exp(c[0]) * d0, q1 = c[2] * d0 + exp(c[1]) * d1;
      term[k] = alpha[k] + c[0] + c[1] - 0.5 * (q0 * q0 + q1 * q1);
      if (term[k] > top)
        top = term[k];
    }
    double sum = 0.0;
    for (int k = 0; k < K; k++)
      sum += exp(term[k] - top);
    total += top + log(sum);
  }
  double sum = 0.0;
  for (int k = 0; k < K; k++)
    sum += exp(alpha[k]);
  return total - N * log(sum);
}

int main(void) {
  double alpha[K] = {0.1, -0.4, 0.3}, dalpha[K] = {0};
  double mean[K * D] = {0.0, 0.5, 1.0, -1.0, -0.5, 0.2}, dmean[K * D] = {0};
  double icf[K * 3] = {0.1, -0.2, 0.3, 0.4, 0.0, -0.5, 0.2, 0.1, 0.05}, dicf[K * 3] = {0};
  double x[N * D], dx[N * D] = {0};
  for (int i = 0; i < N * D; i++)
    x[i] = sin(1.3 * i);
  printf("%.17g\n", gmm(alpha, mean, icf, x));
  __enzyme_autodiff((void *)gmm, enzyme_dup, alpha, dalpha, enzyme_dup, mean, dmean, enzyme_dup, icf,
                    dicf, enzyme_const, x);
  for (int i = 0; i < K; i++)
    printf("%.17g\n", dalpha[i]);
  for (int i = 0; i < K * D; i++)
    printf("%.17g\n", dmean[i]);
  for (int i = 0; i < K * 3; i++)
    printf("%.17g\n", dicf[i]);
  printf("%.17g\n", dx[0]);
  return 0;
}
