// Products of matrices with CBLAS: general, symmetric, triangular and rank-k updates, in both layouts, with leading dimensions wider
// than the matrices, and the triangles that a routine does not read filled with junk.
#include "adj.h"
#include <stdio.h>

enum { row_major = 101, column_major = 102, plain = 111, transposed = 112, upper = 121, lower = 122, non_unit = 131, unit = 132, left = 141, right = 142 };

void cblas_dgemm(int layout, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
                 double beta, double *c, int ldc);
void cblas_dsymm(int layout, int side, int uplo, int m, int n, double alpha, const double *a, int lda, const double *b, int ldb,
                 double beta, double *c, int ldc);
void cblas_dsyrk(int layout, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, double beta, double *c, int ldc);
void cblas_dsyr2k(int layout, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
                  double beta, double *c, int ldc);
void cblas_dtrmm(int layout, int side, int uplo, int ta, int diag, int m, int n, double alpha, const double *a, int lda, double *b,
                 int ldb);
void cblas_dtrsm(int layout, int side, int uplo, int ta, int diag, int m, int n, double alpha, const double *a, int lda, double *b,
                 int ldb);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);

enum { n = 3, ld = 4, size = n * ld };

static double chain(const double *a, const double *b, double *c, double alpha) {
    double t[size] = {0};
    cblas_dgemm(row_major, plain, transposed, n, n, n, alpha, a, ld, b, ld, 0, t, ld);
    cblas_dgemm(column_major, transposed, plain, n, n, n, 1, t, ld, a, ld, 0.5, c, ld);
    cblas_dsymm(row_major, left, upper, n, n, 0.25, a, ld, t, ld, 1, c, ld);
    cblas_dsymm(column_major, right, lower, n, n, alpha, b, ld, a, ld, -1, t, ld);
    cblas_dsyrk(column_major, upper, transposed, n, n, 0.5, b, ld, 1, c, ld);
    cblas_dsyr2k(row_major, lower, plain, n, n, alpha, a, ld, b, ld, 0.75, c, ld);
    cblas_dtrmm(row_major, left, lower, transposed, non_unit, n, n, 0.5, a, ld, t, ld);
    cblas_dtrmm(column_major, right, upper, plain, unit, n, n, alpha, b, ld, t, ld);
    cblas_dtrsm(row_major, right, upper, transposed, non_unit, n, n, 1, a, ld, t, ld);
    cblas_dtrsm(column_major, left, lower, plain, unit, n, n, 2, b, ld, c, ld);
    return cblas_ddot(size, t, 1, c, 1);
}

int main(void) {
    double a[size], b[size], c[size], da[size] = {0}, db[size] = {0}, dc[size] = {0};
    for (int i = 0; i < size; i++) {
        a[i] = 2.5 - 0.25 * ((7 * i) % 12) + (i % (ld + 1) == 0 ? 3 : 0);
        b[i] = -1 + 0.125 * ((5 * i) % 12);
        c[i] = 0.5 + 0.0625 * i;
    }
    double dalpha = __enzyme_autodiff(chain, a, da, b, db, c, dc, 0.5);
    printf("%.10g\n", dalpha);
    for (int i = 0; i < size; i++)
        printf("%.10g %.10g %.10g\n", da[i], db[i], dc[i]);
    return 0;
}
