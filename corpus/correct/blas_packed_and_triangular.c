// Level-2 routines in single precision and Fortran spelling: symmetric matrices full and packed, triangular products and solves, rank
// updates, rotation and swap, and a branch on the index of the greatest element.
#include "adj.h"
#include <stdio.h>

void ssymv_(const char *uplo, const int *n, const float *alpha, const float *a, const int *lda, const float *x, const int *incx,
            const float *beta, float *y, const int *incy);
void sspmv_(const char *uplo, const int *n, const float *alpha, const float *ap, const float *x, const int *incx, const float *beta,
            float *y, const int *incy);
void ssyr2_(const char *uplo, const int *n, const float *alpha, const float *x, const int *incx, const float *y, const int *incy,
            float *a, const int *lda);
void sspr2_(const char *uplo, const int *n, const float *alpha, const float *x, const int *incx, const float *y, const int *incy,
            float *ap);
void strmv_(const char *uplo, const char *trans, const char *diag, const int *n, const float *a, const int *lda, float *x,
            const int *incx);
void strsv_(const char *uplo, const char *trans, const char *diag, const int *n, const float *a, const int *lda, float *x,
            const int *incx);
void srot_(const int *n, float *x, const int *incx, float *y, const int *incy, const float *c, const float *s);
void sswap_(const int *n, float *x, const int *incx, float *y, const int *incy);
int isamax_(const int *n, const float *x, const int *incx);
float sdot_(const int *n, const float *x, const int *incx, const float *y, const int *incy);

static float mixed(float *a, float *packed, float *x, float *y, float c, float s) {
    const int n = 3, one = 1, back = -1, ld = 3;
    const float half = 0.5f, two = 2, zero = 0;
    float t[3], u[3] = {1, -0.5f, 0.25f};
    ssymv_("U", &n, &two, a, &ld, x, &one, &zero, t, &one);
    sspmv_("L", &n, &half, packed, y, &back, &two, u, &one);
    ssyr2_("U", &n, &half, x, &one, t, &back, a, &ld);
    sspr2_("L", &n, &half, u, &one, y, &one, packed);
    srot_(&n, t, &one, u, &one, &c, &s);
    strmv_("U", "T", "N", &n, a, &ld, t, &one);
    strsv_("u", "n", "U", &n, a, &ld, u, &one);
    if (isamax_(&n, t, &one) == 2)
        sswap_(&n, t, &one, u, &back);
    return sdot_(&n, t, &one, x, &one) + sdot_(&n, u, &one, y, &back) * packed[4];
}

int main(void) {
    float a[9] = {2, 7, 7, 0.5f, 1.5f, 7, -1, 0.75f, 3}, da[9] = {0}, p[6] = {1, 0.5f, -0.25f, 2, 1.25f, -1}, dp[6] = {0};
    float x[3] = {0.5f, -1, 1.5f}, dx[3] = {0}, y[3] = {1, 2, -0.5f}, dy[3] = {0};
    struct { float c, s; } r = {0.6f, 0.8f}, dr = {0};
    (void)dr;
    __enzyme_autodiff(mixed, a, da, p, dp, x, dx, y, dy, r.c, r.s);
    for (int i = 0; i < 9; i++)
        printf("%.4g ", (double)da[i]);
    for (int i = 0; i < 6; i++)
        printf("%.4g ", (double)dp[i]);
    for (int i = 0; i < 3; i++)
        printf("%.4g %.4g ", (double)dx[i], (double)dy[i]);
    printf("\n");
    return 0;
}
