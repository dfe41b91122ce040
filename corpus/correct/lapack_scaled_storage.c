// A matrix is scaled from one unit to another in each of LAPACK's storages, and what is not stored there keeps its value; then systems
// with one triangle of it are solved, of which one is singular: that leaves its right hand side as it was.
#include "adj.h"
#include <stdio.h>

void dlascl_(const char *type, const int *kl, const int *ku, const double *from, const double *to, const int *m, const int *n, double *a,
             const int *lda, int *info);
void dlacpy_(const char *uplo, const int *m, const int *n, const double *a, const int *lda, double *b, const int *ldb);
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info);

enum { N = 4, LD = 5 };

static double scaled(const double *a, const double *units, const double *b, int *singular) {
  const int n = N, ld = LD, one = 1, two = 2;
  double sum = 0, t[LD * N], x[2 * LD], y[2 * LD];
  int info = 0;
  for (const char *type = "GLUHBQZ"; *type; type++) {
    int kl = *type == 'Z' || *type == 'B' || *type == 'Q' ? 1 : 0;
    dlacpy_("All", &ld, &n, a, &ld, t, &ld);
    dlascl_(type, &kl, &kl, &units[0], &units[1], &n, &n, t, &ld, &info);
    for (int i = 0; i < LD * N; i++)
      sum += t[i] * t[i] * (1 + i % 4);
  }
  dlacpy_("All", &ld, &two, b, &ld, x, &ld);
  dtrtrs_("Upper", "Transposed", "Non-unit", &n, &two, t, &ld, x, &ld, &info);
  dlacpy_("Upper", &n, &n, a, &ld, t, &ld);
  t[2 * (LD + 1)] = 0;
  dlacpy_("All", &ld, &two, b, &ld, y, &ld);
  dtrtrs_("Upper", "N", "N", &n, &one, t, &ld, y, &ld, singular);
  for (int i = 0; i < 2 * LD; i++)
    sum += x[i] * y[i];
  return sum;
}

int main(void) {
  double a[LD * N], da[LD * N] = {0}, units[2] = {2.54, 1.5}, du[2] = {0}, b[2 * LD], db[2 * LD] = {0};
  int singular = 0;
  for (int i = 0; i < LD * N; i++)
    a[i] = 0.25 * (7 * i % 9) - 0.875 + (i % (LD + 1) == 0 ? 3 : 0);
  for (int i = 0; i < 2 * LD; i++)
    b[i] = 0.5 * (i % 4) - 0.625;
  __enzyme_autodiff(scaled, a, da, units, du, b, db, enzyme_const, &singular);
  for (int i = 0; i < LD * N; i++)
    printf("%.10g ", da[i]);
  printf("%.10g %.10g %.10g %.10g\n", du[0], du[1], db[0], db[6]);
  return singular != 3;
}
