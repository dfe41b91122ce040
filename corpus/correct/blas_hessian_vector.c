// Derivatives of derivatives of BLAS calls: the Hessian of an energy times a vector, by forward mode over reverse mode and by reverse
// mode over reverse mode, with a vector that is read with an increment and the same matrix on both sides of a product.
#include "adj.h"
#include <stdio.h>

enum { row_major = 101, column_major = 102, plain = 111, transposed = 112, n = 3 };

void cblas_dgemm(int layout, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
                 double beta, double *c, int ldc);
void cblas_dgemv(int layout, int t, int m, int n, double alpha, const double *a, int lda, const double *x, int incx, double beta,
                 double *y, int incy);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
double cblas_dnrm2(int n, const double *x, int incx);

static double energy(const double *x) {
    double g[n * n], y[n];
    cblas_dgemm(row_major, plain, transposed, n, n, n, 1, x, n, x, n, 0, g, n);
    cblas_dgemv(column_major, transposed, n, n, 0.5, g, n, x, 2, 0, y, 1);
    return cblas_ddot(n, y, 1, x, 1) + cblas_dnrm2(n * n, g, 1);
}

static void gradient(const double *x, double *dx) { __enzyme_autodiff((void *)energy, enzyme_dup, x, dx); }

static double along(const double *x, const double *v) {
    double dx[n * n] = {0};
    gradient(x, dx);
    return cblas_ddot(n * n, dx, 1, v, 1);
}

int main(void) {
    double x[n * n], v[n * n], g[n * n] = {0}, h[n * n] = {0}, again[n * n] = {0};
    for (int i = 0; i < n * n; i++) {
        x[i] = 0.3 * ((5 * i) % 7) - 0.7;
        v[i] = 0.25 * ((2 * i) % 5) - 0.4;
    }
    gradient(x, g);
    for (int i = 0; i < n * n; i++)
        g[i] = 0;
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, h);
    __enzyme_autodiff((void *)along, enzyme_dup, x, again, enzyme_const, v);
    for (int i = 0; i < n * n; i++)
        printf("%.10g %.10g %.10g\n", g[i], h[i], again[i]);
    return 0;
}
