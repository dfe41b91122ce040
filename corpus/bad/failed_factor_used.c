// LAPACK does not say what a factorisation leaves behind that could not be completed; here it is used, and has no derivative.
// adj-exit: 3
// adj-message: is not defined where it stopped with info > 0
#include <adj.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

static double last_pivot(double *a) {
  int n = 2, info;
  dpotrf_("L", &n, a, &n, &info);
  return a[3];
}

int main(void) {
  double a[4] = {1, 2, 2, 1}, da[4] = {0};
  __enzyme_autodiff((void *)last_pivot, enzyme_dup, a, da);
  return 0;
}
