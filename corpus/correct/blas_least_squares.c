// Least squares with CBLAS: residual and normal equations of a small regression, row-major and column-major, with strides, transposes
// and a step backwards through a vector. The routines have no body in the program.
#include "adj.h"
#include <stdio.h>

enum layout { row_major = 101, column_major = 102 };
enum transpose { plain = 111, transposed = 112 };

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
double cblas_dnrm2(int n, const double *x, int incx);
double cblas_dasum(int n, const double *x, int incx);
void cblas_daxpy(int n, double alpha, const double *x, int incx, double *y, int incy);
void cblas_dscal(int n, double alpha, double *x, int incx);
void cblas_dcopy(int n, const double *x, int incx, double *y, int incy);
void cblas_dgemv(enum layout layout, enum transpose t, int m, int n, double alpha, const double *a, int lda, const double *x, int incx,
                 double beta, double *y, int incy);
void cblas_dger(enum layout layout, int m, int n, double alpha, const double *x, int incx, const double *y, int incy, double *a, int lda);

enum { rows = 4, columns = 3 };

static double misfit(const double *a, const double *x, const double *b, double weight) {
    double residual[rows], slope[2 * columns] = {0}, update[rows * columns];
    cblas_dcopy(rows, b, 1, residual, 1);
    cblas_dgemv(row_major, plain, rows, columns, 1, a, columns, x, 1, -1, residual, 1);
    cblas_dgemv(row_major, transposed, rows, columns, weight, a, columns, residual, 1, 0.5, slope, 2);
    cblas_dcopy(rows * columns, a, 1, update, 1);
    cblas_dger(row_major, rows, columns, -weight, residual, 1, x, -1, update, columns);
    cblas_dscal(columns, 0.25, slope, 2);
    cblas_daxpy(columns, weight, x, -1, slope, 2);
    return 0.5 * cblas_ddot(rows, residual, 1, residual, 1) + cblas_dnrm2(columns, slope, 2) +
           cblas_dasum(rows * columns, update, 1) * cblas_ddot(columns, x, 1, slope, -2);
}

int main(void) {
    double a[rows * columns] = {2, -1, 0.5, 1, 3, -2, 0.25, 1.5, 4, -3, 2, 1}, da[rows * columns] = {0};
    double x[columns] = {0.5, -1.25, 2}, dx[columns] = {0}, b[rows] = {1, -2, 3, 0.5}, db[rows] = {0};
    double dweight = __enzyme_autodiff(misfit, a, da, x, dx, b, db, 0.75);
    printf("%.10g\n", dweight);
    for (int i = 0; i < rows * columns; i++)
        printf("%.10g ", da[i]);
    for (int i = 0; i < columns; i++)
        printf("%.10g ", dx[i]);
    for (int i = 0; i < rows; i++)
        printf("%.10g ", db[i]);
    printf("\n");
    return 0;
}
