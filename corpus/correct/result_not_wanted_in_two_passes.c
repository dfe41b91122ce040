// Split mode: what the augmented forward writes to memory of a result that is not wanted, the reverse may read there.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_tape, enzyme_not_overwritten;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void f(double *restrict x, double *restrict out, int n) {
    for (int i = 0; i < n; i++) {
        out[i] = exp(x[i]) + x[(i + 1) % n];
        x[i] = 0.25 * i;
    }
    for (int i = 0; i < n; i++)
        out[n + i] = out[i] * out[i] * out[i];
}

int main(void) {
    enum { N = 3 };
    double x[N] = {0.5, 1.5, 2.5};
    double dx[N] = {0}, out[2 * N] = {7, 7, 7, 7, 7, 7}, dout[2 * N] = {1, 1, 1, 1, 2, 3};
    void *tape = __enzyme_augmentfwd((void *)f, enzyme_not_overwritten, enzyme_dup, x, dx, enzyme_dupnoneed, out, dout, enzyme_const, N);
    __enzyme_reverse((void *)f, enzyme_dup, x, dx, enzyme_dupnoneed, out, dout, enzyme_const, N, enzyme_tape, tape);
    for (int i = 0; i < N; i++)
        printf("%.10g\n", dx[i]);
    return 0;
}
