// A network whose layers call the same routines on different memory: weights that are constant in one layer and trained in the next,
// activations that are overwritten layer by layer, an update of a vector by itself, and two directions at once in forward mode.
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { row_major = 101, plain = 111, transposed = 112, batch = 2, width = 3 };

void cblas_dgemm(int layout, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
                 double beta, double *c, int ldc);
void cblas_daxpy(int n, double alpha, const double *x, int incx, double *y, int incy);
void cblas_dger(int layout, int m, int n, double alpha, const double *x, int incx, const double *y, int incy, double *a, int lda);
void cblas_dscal(int n, double alpha, double *x, int incx);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);

static double loss(const double *fixed, const double *trained, const double *bias, const double *input, double rate) {
    double now[batch * width], next[batch * width], ones[batch] = {1, 1};
    for (int i = 0; i < batch * width; i++)
        now[i] = input[i];
    for (int layer = 0; layer < 4; layer++) {
        const double *weights = layer % 2 ? trained : fixed;
        cblas_dgemm(row_major, plain, transposed, batch, width, width, rate, now, width, weights, width, 0, next, width);
        cblas_dger(row_major, batch, width, 1, ones, 1, bias, 1, next, width);
        for (int i = 0; i < batch * width; i++)
            now[i] = tanh(next[i]);
        cblas_daxpy(batch * width, rate, now, 1, now, 1);
        cblas_dscal(batch, 0.5 + rate, now + 1, width);
    }
    return cblas_ddot(batch * width, now, 1, now, 1);
}

typedef struct { double d[2]; } directions;
directions __enzyme_fwddiff_two(void *, ...);

int main(void) {
    double fixed[width * width], trained[width * width], bias[width], input[batch * width];
    double dtrained[width * width] = {0}, dbias[width] = {0};
    double first[width * width] = {1, -0.5}, second[width * width] = {0, 0.25, 2}, third[width] = {0.5, -1, 2}, fourth[width] = {0};
    for (int i = 0; i < width * width; i++) {
        fixed[i] = 0.25 * ((3 * i) % 5) - 0.4;
        trained[i] = 0.3 - 0.125 * ((5 * i) % 7);
    }
    for (int i = 0; i < width; i++)
        bias[i] = 0.1 * i - 0.05;
    for (int i = 0; i < batch * width; i++)
        input[i] = 0.2 * i - 0.5;
    double drate = __enzyme_autodiff((void *)loss, enzyme_const, fixed, enzyme_dup, trained, dtrained, enzyme_dup, bias, dbias, enzyme_const,
                                     input, 0.75);
    directions t = __enzyme_fwddiff_two((void *)loss, enzyme_width, 2, enzyme_const, fixed, enzyme_dup, trained, first, second, enzyme_dup,
                                        bias, third, fourth, enzyme_const, input, enzyme_dup, 0.75, 1.0, 0.0);
    printf("%.10g %.10g %.10g\n", drate, t.d[0], t.d[1]);
    for (int i = 0; i < width * width; i++)
        printf("%.10g %.10g\n", dtrained[i], dbias[i % width]);
    return 0;
}
