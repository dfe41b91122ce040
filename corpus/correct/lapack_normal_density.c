// The logarithm of a normal density: a covariance, kept in one triangle, is factored by LAPACK's Cholesky routine and solved with, in
// the Fortran spelling, where everything passes by reference and a factorisation that fails says so.
#include "adj.h"
#include <math.h>
#include <stdio.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda, double *b, const int *ldb, int *info);
void dlacpy_(const char *uplo, const int *m, const int *n, const double *a, const int *lda, double *b, const int *ldb);
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info);
double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy);
void dcopy_(const int *n, const double *x, const int *incx, double *y, const int *incy);

static double log_density(const double *covariance, const double *x, int n, const char *uplo) {
    double factor[16] = {0}, solved[4], whitened[4];
    int info, one = 1, ld = 4;
    dlacpy_(uplo, &n, &n, covariance, &ld, factor, &ld);
    dpotrf_(uplo, &n, factor, &ld, &info);
    if (info != 0)
        return -HUGE_VAL;
    dcopy_(&n, x, &one, solved, &one);
    dpotrs_(uplo, &n, &one, factor, &ld, solved, &n, &info);
    dcopy_(&n, x, &one, whitened, &one);
    dtrtrs_(uplo, *uplo == 'U' ? "T" : "N", "N", &n, &one, factor, &ld, whitened, &n, &info);
    double determinant = 0;
    for (int i = 0; i < n; i++)
        determinant += log(factor[i * (ld + 1)]);
    return -0.25 * (ddot_(&n, x, &one, solved, &one) + ddot_(&n, whitened, &one, whitened, &one)) - determinant;
}

int main(void) {
    for (int u = 0; u < 2; u++) {
        double s[16] = {4, 0.5, -0.25, 9, 0.5, 3, 0.75, 9, -0.25, 0.75, 2, 9, 9, 9, 9, 9}, ds[16] = {0};
        double x[3] = {0.5, -1, 1.5}, dx[3] = {0};
        __enzyme_autodiff(log_density, s, ds, x, dx, enzyme_const, 3, enzyme_const, u ? "U" : "l");
        for (int i = 0; i < 12; i++)
            printf("%.10g ", ds[i]);
        printf("%.10g %.10g %.10g\n", dx[0], dx[1], dx[2]);
    }
    return 0;
}
