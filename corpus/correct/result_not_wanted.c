// `enzyme_dupnoneed` gives the primal result up: what the function writes there is not written, so that the pointer may
// lead to no memory. A value that the derivative needs is kept, and its memory with it.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

#define NOWHERE ((double *)1)

static void sum(const double *x, double *out, int n) {
    *out = 0;
    for (int i = 0; i < n; i++)
        *out += x[i] * x[i] * sin(x[i]);
}

static void each(const double *restrict x, double *restrict out, int n) {
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            out[i] += exp(-x[k]) * x[i];
}

static __attribute__((noinline)) void put(double *place, double value) { *place = value; }

static void by_callee(const double *x, double *out, int n) {
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= x[i];
    put(out, product);
    put(out + 1, sqrt(product));
}

/* The second half is made of the first: what lies there is needed. */
static void read_again(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++)
        out[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        out[n + i] = out[i] * out[i];
}

int main(void) {
    enum { N = 4 };
    const double x[N] = {0.5, 1.5, 2.5, 3.5};
    double dx[N] = {0}, d1 = 1, d2[2] = {1, 2}, d4[N] = {1, 2, 3, 4}, d8[2 * N] = {1, 1, 1, 1, 1, 2, 3, 4};
    double real[2 * N];
    __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_dupnoneed, NOWHERE, &d1, enzyme_const, N);
    __enzyme_autodiff((void *)each, enzyme_dup, x, dx, enzyme_dupnoneed, NOWHERE, d4, enzyme_const, N);
    __enzyme_autodiff((void *)by_callee, enzyme_dup, x, dx, enzyme_dupnoneed, NOWHERE, d2, enzyme_const, N);
    __enzyme_autodiff((void *)read_again, enzyme_dup, x, dx, enzyme_dupnoneed, real, d8, enzyme_const, N);
    const double v[N] = {1, 0, -1, 2};
    double t1 = 0, t4[N];
    __enzyme_fwddiff((void *)sum, enzyme_dup, x, v, enzyme_dupnoneed, NOWHERE, &t1, enzyme_const, N);
    __enzyme_fwddiff((void *)each, enzyme_dup, x, v, enzyme_dupnoneed, NOWHERE, t4, enzyme_const, N);
    printf("%.10g %.10g %.10g %.10g\n", dx[0], dx[1], dx[2], dx[3]);
    printf("%.10g, %.10g %.10g %.10g %.10g\n", t1, t4[0], t4[1], t4[2], t4[3]);
    return 0;
}
