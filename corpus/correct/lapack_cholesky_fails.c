// A covariance that is not positive definite: its factorisation stops and says so, and is tried again with more and more added to the
// diagonal. What the attempts that failed have left is never used, so it has no part in either derivative.
#include "adj.h"
#include <math.h>
#include <stdio.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dlacpy_(const char *uplo, const int *m, const int *n, const double *a, const int *lda, double *b, const int *ldb);

static double log_determinant(const double *covariance, int n, const char *uplo, int *attempts) {
  double factor[16], sum = 0, added = 0.25;
  int info, ld = 4;
  for (*attempts = 0;; added *= 2) {
    dlacpy_(uplo, &n, &n, covariance, &ld, factor, &ld);
    for (int i = 0; i < n && *attempts; i++)
      factor[i * (ld + 1)] += added * covariance[0];
    ++*attempts;
    dpotrf_(uplo, &n, factor, &ld, &info);
    if (info == 0)
      break;
  }
  for (int i = 0; i < n; i++)
    sum += 2 * log(factor[i * (ld + 1)]);
  return sum;
}

int main(void) {
  double s[16] = {1, 0.5, 0.25, 9, 0.5, 0.125, -0.75, 9, 0.25, -0.75, 0.25, 9, 9, 9, 9, 9};
  int attempts = 0, wrong = 0;
  for (int u = 0; u < 2; u++) {
    const char *uplo = u ? "U" : "L";
    double ds[16] = {0}, t[16], product = 0;
    for (int i = 0; i < 16; i++)
      t[i] = 0.25 * (i % 5) - 0.375;
    __enzyme_autodiff(log_determinant, s, ds, enzyme_const, 3, enzyme_const, uplo, enzyme_const, &attempts);
    wrong += attempts < 3;
    double tangent = __enzyme_fwddiff(log_determinant, s, t, enzyme_const, 3, enzyme_const, uplo, enzyme_const, &attempts);
    for (int i = 0; i < 16; i++)
      product += ds[i] * t[i];
    wrong += !(fabs(product - tangent) < 1e-12);
    printf("%d attempts: %.10g %.10g %.10g, %.10g\n", attempts, ds[0], ds[u ? 4 : 1], ds[5], tangent);
  }
  return wrong;
}
