// Products with symmetric matrices by BLAS on parts of larger arrays, so that every leading dimension differs from the number of rows,
// with the symmetric one on either side and kept in either triangle.
#include "adj.h"
#include <stdio.h>

void cblas_dsymm(int layout, int side, int uplo, int m, int n, double alpha, const double *a, int lda, const double *b, int ldb,
                 double beta, double *c, int ldc);

enum { columns = 102, upper = 121, lower = 122, left = 141, right = 142 };
enum { m = 2, n = 3, lda = 5, ldb = 4, ldc = 3 };

static double product(const double *a, const double *b, double *c, int side, int triangle) {
  double sum = 0.0;
  cblas_dsymm(columns, side, triangle, m, n, 0.5, a + 1, lda, b + 1, ldb, 0.25, c, ldc);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      sum += c[i + ldc * j] * c[i + ldc * j];
  return sum;
}

int main(void) {
  double a[lda * n + 1], b[ldb * n + 1], c[ldc * n];
  for (int side = left; side <= right; side++)
    for (int triangle = upper; triangle <= lower; triangle++) {
      double da[lda * n + 1] = {0}, db[ldb * n + 1] = {0}, dc[ldc * n] = {0};
      for (int i = 0; i < lda * n + 1; i++)
        a[i] = 1.0 - 0.125 * ((7 * i) % 16);
      for (int i = 0; i < ldb * n + 1; i++)
        b[i] = 0.25 * ((5 * i) % 13) - 1.5;
      for (int i = 0; i < ldc * n; i++)
        c[i] = 0.0625 * i;
      __enzyme_autodiff((void *)product, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, enzyme_const, side, enzyme_const,
                        triangle);
      for (int i = 0; i < lda * n; i++)
        printf("%.12g ", da[i + 1]);
      for (int i = 0; i < ldb * n; i++)
        printf("%.12g ", db[i + 1]);
      printf("%.12g\n", dc[4]);
    }
  return 0;
}
